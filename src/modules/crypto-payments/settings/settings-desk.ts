import type { ConnectionCheck, EncryptionKeyState, SettingsWarning } from "../../../http-contract"
import { draftSettings, type SettingsDraft } from "./draft-settings"
import {
  resolveEffective,
  secretReader,
  type EffectiveSettings,
  type SecretReader,
} from "./effective-settings"
import { openConnection } from "./former-connections"
import { findHostsNotAllowed, warnOfLinkHosts } from "./link-hosts"
import { resealConnections, sealAll, sealFormer } from "./seal-settings"
import type { SettingsInput, SettingsRefusal } from "./settings-input"
import type { SettingsRegistry } from "./settings-registry"
import type { SettingsStore } from "./settings-store"
import { originOf, type Secret } from "./stored-settings"
import { refuseMalformed, tryConnection } from "./try-connection"
import { viewEncryptionKey, viewSettings, type SettingsView } from "./settings-view"

/** What an admin sees of one provider. */
export interface SettingsOfProvider {
  settings: SettingsView & { former_origins: { origin: string; open_requests: number }[] }
  encryption_key: EncryptionKeyState
}

/** How a form is saved. */
export interface SaveChoices {
  /** The version the form was filled in from. */
  version: number
  confirmOriginChange?: boolean | undefined
  discardUnreadableSecrets?: boolean | undefined
}

/** Why a save was refused, for the form. */
export type SaveRefusal =
  | SettingsRefusal
  | { code: "encryption_key"; message: string; state: EncryptionKeyState["state"] }
  | { code: "stale_version"; message: string; version: number }
  | {
      code: "origin_change_unconfirmed"
      message: string
      open_requests: number
      former_origin: string
      is_kept: boolean
    }

/** Shows, saves and tests settings. Secrets can be written and never read. */
export class SettingsDesk {
  constructor(
    private readonly registry: SettingsRegistry,
    private readonly store: SettingsStore
  ) {}

  async list(): Promise<SettingsOfProvider[]> {
    this.registry.invalidate()
    const states = await this.registry.list()
    return await Promise.all(states.map(async ({ effective }) => await this.view(effective)))
  }

  /** @returns undefined when medusa-config registers no such provider */
  async find(providerId: string): Promise<SettingsOfProvider | undefined> {
    const effective = await this.fresh(providerId)
    return effective && (await this.view(effective))
  }

  /** State of the encryption key over all providers. */
  async viewKey(): Promise<EncryptionKeyState> {
    const states = await this.registry.list()
    return viewEncryptionKey(
      this.registry.keys(),
      states.map(({ effective }) => effective)
    )
  }

  /** Saves a form, or says why not; then nothing is written. @returns undefined when there is no such provider */
  async save(
    providerId: string,
    input: SettingsInput,
    choices: SaveChoices
  ): Promise<
    | { saved: SettingsOfProvider; rowsLeft: number; warnings: SettingsWarning[] }
    | { refusal: SaveRefusal }
    | undefined
  > {
    this.registry.invalidate()
    const state = await this.registry.state(providerId)
    if (state === undefined) {
      return undefined
    }
    const { effective, connections } = state
    if (effective.stored.version !== choices.version) {
      return { refusal: stale(effective.stored.version) }
    }
    const drafted = draftSettings(effective, input)
    if ("refusal" in drafted) {
      return drafted
    }
    const { draft } = drafted
    const keys = this.registry.keys()
    const refusal =
      this.refuseForKey(effective, draft, choices) ?? refuseMalformed(this.resolve(effective, draft))
    if (refusal !== undefined) {
      return { refusal }
    }
    const open = draft.leaves === null ? 0 : await this.countOpenAt(providerId, draft.leaves.origin)
    const former = sealFormer(keys, effective, draft)
    const isKept = former !== null && openConnection(effective.registration, former, keys) !== undefined
    if (draft.leaves !== null && open > 0 && choices.confirmOriginChange !== true) {
      return { refusal: unconfirmed(draft.leaves.origin, open, isKept) }
    }
    const version = await this.store.save({
      providerId,
      version: choices.version,
      next: {
        ...draft.stored,
        secrets: sealAll(keys, providerId, draft, {
          read: this.reader(effective),
          discardUnreadable: choices.discardUnreadableSecrets,
        }),
      },
      resealed: resealConnections(keys, providerId, connections),
      former: isKept ? former : null,
      origin: originOf(draft.stored.bound_base_url),
    })
    this.registry.invalidate()
    if (version === undefined) {
      return { refusal: stale((await this.fresh(providerId))?.stored.version ?? 0) }
    }
    await this.forgetUnusedConnections()
    const saved = await this.find(providerId)
    const now = await this.fresh(providerId)
    const warnings = now === undefined ? [] : await warnOfLinkHosts(this.store, now)
    return saved && { saved, rowsLeft: isKept ? open : 0, warnings }
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

  /** By the id of each registered provider: where its last links point to without being allowed. */
  async listHostsNotAllowed(): Promise<Map<string, string[]>> {
    const states = await this.registry.list()
    return new Map(
      await Promise.all(
        states.map(async ({ effective }): Promise<[string, string[]]> => [
          effective.registration.providerId,
          await findHostsNotAllowed(this.store, effective),
        ])
      )
    )
  }

  /** Forgets the connections to former origins that no watched row needs any more. */
  async forgetUnusedConnections(): Promise<void> {
    await this.store.dropUnusedConnections()
  }

  /**
   * Stops reading from a former address, and accepting notifications signed with its keys. Rows that are watched there
   * are then read at the address in force; what that does not know ends in the attention list.
   *
   * @returns undefined when there is no such provider
   */
  async forgetOrigin(
    providerId: string,
    origin: string
  ): Promise<{ view: SettingsOfProvider; rowsLeft: number } | "unknown_origin" | undefined> {
    if ((await this.fresh(providerId)) === undefined) {
      return undefined
    }
    if (!(await this.store.dropConnection(providerId, origin))) {
      return "unknown_origin"
    }
    const view = await this.find(providerId)
    return view && { view, rowsLeft: await this.countOpenAt(providerId, origin) }
  }

  private async fresh(providerId: string): Promise<EffectiveSettings | undefined> {
    this.registry.invalidate()
    return (await this.registry.state(providerId))?.effective
  }

  private async view(effective: EffectiveSettings): Promise<SettingsOfProvider> {
    const { providerId } = effective.registration
    const open = await this.store.countOpen(providerId)
    const state = await this.registry.state(providerId)
    return {
      settings: {
        ...viewSettings(effective),
        former_origins: (state?.former ?? []).map(({ origin }) => ({
          origin,
          open_requests: open.get(origin) ?? 0,
        })),
      },
      encryption_key: await this.viewKey(),
    }
  }

  private async countOpenAt(providerId: string, origin: string): Promise<number> {
    return (await this.store.countOpen(providerId)).get(origin) ?? 0
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

/** @param isKept whether the connection to the former address can be kept */
function unconfirmed(origin: string, open: number, isKept: boolean): SaveRefusal {
  const [requests, stay, are] =
    open === 1 ? ["payment request", "stays", "is"] : ["payment requests", "stay", "are"]
  const told = isKept
    ? `${stay} with ${origin} and ${are} still read there`
    : `of ${origin} ${are} read at the new address from now on, and appear in the attention list if it does not know them`
  return {
    code: "origin_change_unconfirmed",
    open_requests: open,
    former_origin: origin,
    is_kept: isKept,
    message: `${String(open)} open ${requests} ${told}. Confirm to save.`,
  }
}
