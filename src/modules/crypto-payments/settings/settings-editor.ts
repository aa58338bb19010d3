import { isAcceptablePaymentLink, linkHost } from "../../../gateway"
import type {
  ConnectionCheck,
  EncryptionKeyState,
  FormerOrigin,
  SaveSettings,
  SettingsInput,
  SettingsWarning,
} from "../../../http-contract"
import { draftSettings, sealAll, SettingsRefused, type SettingsDraft } from "./draft-settings"
import {
  resolveEffective,
  secretReader,
  type EffectiveSettings,
  type SecretReader,
} from "./effective-settings"
import type { SettingsRegistry } from "./settings-registry"
import { nextAccount, type SettingsStore } from "./settings-store"
import { originOf, type WhoseRequests } from "./stored-settings"
import { refuseMalformed, tryConnection } from "./try-connection"
import { viewEncryptionKey, viewSettings, type SettingsView } from "./settings-view"

/** What an admin sees of one provider. */
export interface SettingsOfProvider {
  settings: SettingsView & { former_origins: FormerOrigin[] }
  encryption_key: EncryptionKeyState
}

/** Shows, saves and tests settings. Secrets can be written and never read. */
export class SettingsEditor {
  constructor(
    private readonly registry: SettingsRegistry,
    private readonly store: SettingsStore
  ) {}

  async list(): Promise<{ settings: SettingsOfProvider["settings"][]; encryption_key: EncryptionKeyState }> {
    this.registry.invalidate()
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return {
      settings: all.map((effective) => ({
        ...viewSettings(effective),
        former_origins: listUnanswered(effective, open.get(effective.registration.providerId)),
      })),
      encryption_key: viewEncryptionKey(this.registry.keys(), all),
    }
  }

  /** @returns undefined when medusa-config registers no such provider */
  async find(providerId: string): Promise<SettingsOfProvider | undefined> {
    const { settings: all, encryption_key } = await this.list()
    const settings = all.find(({ provider_id }) => provider_id === providerId)
    return settings && { settings, encryption_key }
  }

  /**
   * Saves a form. Another origin needs to know whose the open requests are.
   *
   * @returns undefined when there is no such provider
   * @throws SettingsRefused, and nothing is written
   */
  async save(
    providerId: string,
    form: SaveSettings
  ): Promise<(SettingsOfProvider & { warnings: SettingsWarning[] }) | undefined> {
    const { version, confirm_origin_change, same_account, discard_unreadable_secrets, ...input } = form
    const effective = await this.fresh(providerId)
    if (effective === undefined) {
      return undefined
    }
    refuseStale(effective, version)
    const draft = draftSettings(effective, input)
    const next = this.resolve(effective, draft)
    this.refuseForKey(effective, draft, discard_unreadable_secrets === true)
    refuseMalformed(next)
    const asked = listUnanswered(next, (await this.store.countOpen()).get(providerId))
    if (draft.leaves !== null && asked.length > 0 && confirm_origin_change !== true) {
      throw unconfirmed(asked)
    }
    const answer: WhoseRequests = same_account === true ? "same_account" : "another_account"
    const left = draft.leaves === null ? [] : [draft.leaves]
    const answered = confirm_origin_change === true ? [...left, ...asked.map(({ origin }) => origin)] : []
    const isAnother = answered.length > 0 && answer === "another_account"
    const { options, bound_base_url, former_origins } = draft.stored
    const isSaved = await this.store.save({
      providerId,
      version,
      answered,
      next: {
        options,
        bound_base_url,
        secrets: sealAll(this.registry.keys(), providerId, draft, {
          read: this.reader(effective),
          discardUnreadable: discard_unreadable_secrets === true,
        }),
        former_origins: {
          ...former_origins,
          ...Object.fromEntries(answered.map((origin) => [origin, answer])),
        },
        ...(isAnother ? { gateway_account: nextAccount(effective.account) } : {}),
      },
    })
    const saved = await this.find(providerId)
    const now = await this.registry.find(providerId)
    if (!isSaved && now !== undefined) {
      refuseStale(now, version)
    }
    return saved && now && { ...saved, warnings: await this.warnOfLinkHosts(now) }
  }

  /**
   * Reads the balances with the form as it is; saves nothing.
   *
   * @returns undefined when there is no such provider
   * @throws SettingsRefused
   */
  async check(providerId: string, form: SettingsInput): Promise<ConnectionCheck | undefined> {
    const effective = await this.fresh(providerId)
    if (effective === undefined) {
      return undefined
    }
    const next = this.resolve(effective, draftSettings(effective, form))
    const [check, warnings] = await Promise.all([tryConnection(next), this.warnOfLinkHosts(next)])
    return { ...check, warnings }
  }

  /** By the id of each registered provider: what a person has to decide or to look at. */
  async listQuestions(): Promise<
    Map<string, { link_hosts_not_allowed: string[]; former_origins: FormerOrigin[] }>
  > {
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return new Map(
      await Promise.all(
        all.map(async (effective) => {
          const { providerId } = effective.registration
          const link_hosts_not_allowed = await this.findHostsNotAllowed(effective)
          const former_origins = listUnanswered(effective, open.get(providerId))
          return [providerId, { link_hosts_not_allowed, former_origins }] as const
        })
      )
    )
  }

  private async fresh(providerId: string): Promise<EffectiveSettings | undefined> {
    this.registry.invalidate()
    return await this.registry.find(providerId)
  }

  /** What a draft keeps is sealed for the address in force until now. It was refused if the draft has another one. */
  private resolve(effective: EffectiveSettings, { stored }: SettingsDraft): EffectiveSettings {
    return resolveEffective(effective.registration, stored, this.reader(effective))
  }

  private reader({ registration, stored }: EffectiveSettings): SecretReader {
    return secretReader(this.registry.keys(), registration.providerId, stored)
  }

  /** A new secret needs the key, and the key must be the one the others were sealed with. */
  private refuseForKey(effective: EffectiveSettings, { stored }: SettingsDraft, isDiscarded: boolean): void {
    const isGiven = Object.values(stored.secrets)
      .flat()
      .some((secret) => typeof secret !== "string")
    const { state, message } = viewEncryptionKey(this.registry.keys(), [effective])
    if (isGiven && state !== "present" && !(state === "wrong" && isDiscarded)) {
      throw new SettingsRefused({ code: "encryption_key", message: message ?? "", state })
    }
  }

  /**
   * Hosts that the gateway's last payment links point to and that these settings do not allow: none while any host is
   * allowed, or no link was made at the gateway address in force.
   */
  private async findHostsNotAllowed({
    registration,
    fields,
  }: Pick<EffectiveSettings, "registration" | "fields">): Promise<string[]> {
    const allowed = fields.payment_link_hosts.value
    const origin = originOf(fields.base_url.value)
    if (allowed === null || origin === null) {
      return []
    }
    const links = await this.store.readLastLinks(registration.providerId, origin)
    const refused = links.filter((link) => !isAcceptablePaymentLink(link, allowed))
    return [...new Set(refused.flatMap((link) => linkHost(link) ?? []))]
  }

  private async warnOfLinkHosts(
    settings: Pick<EffectiveSettings, "registration" | "fields">
  ): Promise<SettingsWarning[]> {
    const hosts = await this.findHostsNotAllowed(settings)
    const message = `The gateway's last payment links point to ${hosts.join(", ")}, which payment_link_hosts does not list. A shopper who gets such a link cannot pay.`
    return hosts.length === 0
      ? []
      : [{ code: "link_hosts_not_allowed", message, fields: ["payment_link_hosts"], hosts }]
  }
}

function refuseStale({ stored: { version } }: EffectiveSettings, expected: number): void {
  if (version !== expected) {
    const message = "Somebody saved these settings in between. Load them again, then make your change."
    throw new SettingsRefused({ code: "stale_version", version, message })
  }
}

function listUnanswered(effective: EffectiveSettings, open = new Map<string, number>()): FormerOrigin[] {
  const current = originOf(effective.fields.base_url.value)
  return [...open]
    .filter(
      ([origin]) => current !== null && origin !== current && !Object.hasOwn(effective.formerOrigins, origin)
    )
    .map(([origin, open_requests]) => ({ origin, open_requests }))
}

function unconfirmed(asked: FormerOrigin[]): SettingsRefused {
  const open_requests = asked.reduce((sum, former) => sum + former.open_requests, 0)
  const former_origin = asked.map(({ origin }) => origin).join(", ")
  const [requests, were, they] =
    open_requests === 1 ? ["payment request", "was", "it is"] : ["payment requests", "were", "they are"]
  return new SettingsRefused({
    code: "origin_change_unconfirmed",
    open_requests,
    former_origin,
    message:
      `${String(open_requests)} open ${requests} ${were} made at ${former_origin}. Send confirm_origin_change: true, and ` +
      `${they} closed, because the new address is of another gateway account. If it is the same account at a new address, ` +
      `send same_account: true too, and ${they} read there from now on.`,
  })
}
