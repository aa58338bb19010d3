import type {
  ConnectionCheck,
  CryptoSettings,
  EncryptionKeyState,
  SettingsWarning,
} from "../../../http-contract"
import { draftSettings, sealAll, type SettingsDraft } from "./draft-settings"
import {
  accountOf,
  formerOriginsOf,
  resolveEffective,
  secretReader,
  type EffectiveSettings,
  type SecretReader,
} from "./effective-settings"
import { findHostsNotAllowed, warnOfLinkHosts } from "./link-hosts"
import type { SettingsInput, SettingsRefusal } from "./settings-input"
import type { SettingsRegistry } from "./settings-registry"
import { nextAccount, type SettingsStore } from "./settings-store"
import { originOf, type FormerOrigin, type Secret } from "./stored-settings"
import { refuseMalformed, tryConnection } from "./try-connection"
import { viewEncryptionKey, viewSettings, type SettingsView } from "./settings-view"

/** A former origin with open requests, of which nobody has said whether they are of the account in use now. */
type UnansweredOrigin = CryptoSettings["former_origins"][number]

/** What an admin sees of one provider. */
export interface SettingsOfProvider {
  settings: SettingsView & { former_origins: UnansweredOrigin[] }
  encryption_key: EncryptionKeyState
}

/** How a form is saved. */
export interface SaveChoices {
  /** The version the form was filled in from. */
  version: number
  /** Whose the open requests of former origins are. */
  formerOrigins?: FormerOrigin | undefined
  discardUnreadableSecrets?: boolean | undefined
}

/** Why a save was refused, for the form. */
export type SaveRefusal =
  | SettingsRefusal
  | { code: "encryption_key"; message: string; state: EncryptionKeyState["state"] }
  | { code: "stale_version"; message: string; version: number }
  | { code: "origin_change_unconfirmed"; message: string; open_requests: number; former_origin: string }

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
   * Saves a form, or says why not; then nothing is written. Another origin needs to know whose the open requests are.
   *
   * @returns undefined when there is no such provider
   */
  async save(
    providerId: string,
    input: SettingsInput,
    choices: SaveChoices
  ): Promise<
    { saved: SettingsOfProvider; warnings: SettingsWarning[] } | { refusal: SaveRefusal } | undefined
  > {
    const effective = await this.fresh(providerId)
    if (effective === undefined) {
      return undefined
    }
    if (effective.stored.version !== choices.version) {
      return { refusal: stale(effective.stored.version) }
    }
    const drafted = draftSettings(effective, input)
    if ("refusal" in drafted) {
      return drafted
    }
    const { draft } = drafted
    const next = this.resolve(effective, draft)
    const refusal = this.refuseForKey(effective, draft, choices) ?? refuseMalformed(next)
    if (refusal !== undefined) {
      return { refusal }
    }
    const asked = listUnanswered(next, (await this.store.countOpen()).get(providerId))
    const { formerOrigins: answer } = choices
    if (draft.leaves !== null && asked.length > 0 && answer === undefined) {
      return { refusal: unconfirmed(asked) }
    }
    const left = draft.leaves === null ? [] : [draft.leaves]
    const answered = answer === undefined ? [] : [...left, ...asked.map(({ origin }) => origin)]
    const isAnother = answer === "another_account" && answered.length > 0
    const version = await this.store.save({
      providerId,
      version: choices.version,
      answered,
      next: {
        options: draft.stored.options,
        bound_base_url: draft.stored.bound_base_url,
        secrets: sealAll(this.registry.keys(), providerId, draft, {
          read: this.reader(effective),
          discardUnreadable: choices.discardUnreadableSecrets,
        }),
        former_origins: {
          ...draft.stored.former_origins,
          ...Object.fromEntries(answered.map((origin) => [origin, answer ?? "same_account"])),
        },
        ...(isAnother ? { gateway_account: nextAccount(accountOf(effective)) } : {}),
      },
    })
    const now = await this.fresh(providerId)
    if (version === undefined) {
      return { refusal: stale(now?.stored.version ?? 0) }
    }
    const saved = await this.find(providerId)
    return saved && now && { saved, warnings: await warnOfLinkHosts(this.store, now) }
  }

  /** Reads the balances with the form as it is; saves nothing. @returns undefined when there is no such provider */
  async check(
    providerId: string,
    input: SettingsInput
  ): Promise<{ check: ConnectionCheck } | { refusal: SettingsRefusal } | undefined> {
    const effective = await this.fresh(providerId)
    if (effective === undefined) {
      return undefined
    }
    const drafted = draftSettings(effective, input)
    if ("refusal" in drafted) {
      return drafted
    }
    const drawnUp = this.resolve(effective, drafted.draft)
    const [check, warnings] = await Promise.all([
      tryConnection(drawnUp),
      warnOfLinkHosts(this.store, drawnUp),
    ])
    return { check: { ...check, warnings } }
  }

  /** By the id of each registered provider: what a person has to decide or to look at. */
  async listQuestions(): Promise<
    Map<string, { link_hosts_not_allowed: string[]; former_origins: UnansweredOrigin[] }>
  > {
    const [all, open] = await Promise.all([this.registry.list(), this.store.countOpen()])
    return new Map(
      await Promise.all(
        all.map(async (effective) => {
          const { providerId } = effective.registration
          const link_hosts_not_allowed = await findHostsNotAllowed(this.store, effective)
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
  private resolve(effective: EffectiveSettings, { stored }: SettingsDraft): EffectiveSettings<Secret> {
    return resolveEffective(effective.registration, stored, this.reader(effective))
  }

  private reader({ registration, stored }: EffectiveSettings): SecretReader {
    return secretReader(this.registry.keys(), registration.providerId, stored)
  }

  /** A new secret needs the key, and the key must be the one the others were sealed with. */
  private refuseForKey(
    effective: EffectiveSettings,
    { stored }: SettingsDraft,
    { discardUnreadableSecrets }: SaveChoices
  ): SaveRefusal | undefined {
    const isGiven = Object.values(stored.secrets)
      .flat()
      .some((secret) => "given" in secret)
    const { state, message } = viewEncryptionKey(this.registry.keys(), [effective])
    const isInTheWay = state === "wrong" ? discardUnreadableSecrets !== true : state !== "present"
    return isGiven && isInTheWay ? { code: "encryption_key", message: message ?? "", state } : undefined
  }
}

function stale(version: number): SaveRefusal {
  return {
    code: "stale_version",
    version,
    message: "Somebody saved these settings in between. Load them again, then make your change.",
  }
}

function listUnanswered(
  effective: EffectiveSettings<Secret>,
  open = new Map<string, number>()
): UnansweredOrigin[] {
  const current = originOf(effective.fields.baseUrl.value)
  const answers = formerOriginsOf(effective)
  return [...open]
    .filter(([origin]) => current !== null && origin !== current && !Object.hasOwn(answers, origin))
    .map(([origin, open_requests]) => ({ origin, open_requests }))
}

function unconfirmed(asked: UnansweredOrigin[]): SaveRefusal {
  const open = asked.reduce((sum, { open_requests }) => sum + open_requests, 0)
  const origins = asked.map(({ origin }) => origin).join(", ")
  const [requests, were, they] =
    open === 1 ? ["payment request", "was", "it is"] : ["payment requests", "were", "they are"]
  return {
    code: "origin_change_unconfirmed",
    open_requests: open,
    former_origin: origins,
    message:
      `${String(open)} open ${requests} ${were} made at ${origins}. Send confirm_origin_change: true, and ${they} ` +
      `closed, because the new address is of another gateway account. If it is the same account at a new address, send ` +
      `same_account: true too, and ${they} read there from now on.`,
  }
}
