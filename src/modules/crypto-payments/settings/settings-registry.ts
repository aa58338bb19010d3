import { MedusaError } from "@medusajs/framework/utils"
import { notConfiguredError, providerMissingError, unknownProviderError } from "../errors"
import {
  describeProblem,
  originOf,
  resolveEffective,
  type EffectiveSettings,
  type ProviderSettings,
} from "./effective-settings"
import { ENCRYPTION_KEY_VARIABLE, EncryptionKeys } from "./encryption-keys"
import { toOptionName } from "./names"
import type { Registration } from "./options-schema"
import { readRegistrations, type ConfigModuleLike } from "./registrations"
import { NOTHING_STORED, type SavedSettings, type SettingsStore } from "./settings-store"

/** How long a change made on another instance may stay unnoticed. */
const MAX_AGE_MS = 2000

/** The settings in force of each provider: medusa-config and what is saved, at most two seconds old. */
export class SettingsRegistry {
  private registrations: Promise<Map<string, Registration>> | undefined
  private latest: { startedAtMs: number; all: Promise<Map<string, EffectiveSettings>> } | undefined

  constructor(
    private readonly config: ConfigModuleLike,
    private readonly store: SettingsStore
  ) {}

  /** @returns undefined when medusa-config registers no such provider */
  async find(providerId: string): Promise<EffectiveSettings | undefined> {
    return (await this.resolveAll()).get(providerId)
  }

  async list(): Promise<EffectiveSettings[]> {
    return [...(await this.resolveAll()).values()]
  }

  async listRegistered(): Promise<string[]> {
    return [...(await this.load()).keys()]
  }

  /** Providers for which the merchant has not said that core's completion of a cart counts. */
  async listWithoutCoreCompletion(): Promise<string[]> {
    const all = [...(await this.load()).values()]
    return all.flatMap(({ providerId, coreCompletion }) => (coreCompletion ? [] : providerId))
  }

  async listConfigured(): Promise<string[]> {
    return (await this.list()).flatMap(({ settings }) => settings?.providerId ?? [])
  }

  /** Where the merchant is notified of a provider's cases. Other news goes to the first provider's receiver. */
  async readNotifications(providerId: string | undefined): Promise<Registration["notifications"]> {
    const registrations = await this.load()
    const [first] = registrations.values()
    return (registrations.get(providerId ?? "") ?? first)?.notifications ?? false
  }

  /** As they are stored now. @throws MedusaError (404) when medusa-config registers no such provider */
  async readFresh(providerId: string): Promise<EffectiveSettings> {
    this.invalidate()
    const effective = await this.find(providerId)
    if (effective === undefined) {
      throw unknownProviderError()
    }
    return effective
  }

  /** @throws MedusaError (400) naming what is not given yet */
  async require(providerId: string): Promise<ProviderSettings> {
    const effective = await this.find(providerId)
    if (effective === undefined) {
      throw providerMissingError(providerId, MedusaError.Types.INVALID_DATA)
    }
    const { settings, missing, problem } = effective
    if (settings === undefined) {
      throw notConfiguredError(missing.map(toOptionName), describeProblem(problem))
    }
    return settings
  }

  /** Keys for notifications about a row, by registered provider; an empty list if none can be verified. */
  async listNotificationKeys(): Promise<Map<string, string[]>> {
    const all = await this.resolveAll()
    return new Map([...all].map(([id, { settings }]) => [id, settings?.secret_keys ?? []]))
  }

  keys(): EncryptionKeys {
    return new EncryptionKeys(process.env[ENCRYPTION_KEY_VARIABLE])
  }

  /** A save takes effect at once on this instance: later callers do not get an earlier read. */
  invalidate(): void {
    this.latest = undefined
  }

  /** What medusa-config gives, read once: nothing changes it while the process runs. */
  private async load(): Promise<Map<string, Registration>> {
    return await (this.registrations ??= readRegistrations(this.config))
  }

  private async resolveAll(): Promise<Map<string, EffectiveSettings>> {
    if (this.latest === undefined || Date.now() - this.latest.startedAtMs >= MAX_AGE_MS) {
      this.latest = { startedAtMs: Date.now(), all: this.read() }
    }
    return await this.latest.all
  }

  private async read(): Promise<Map<string, EffectiveSettings>> {
    try {
      const registrations = await this.load()
      const all = registrations.size === 0 ? new Map<string, SavedSettings>() : await this.store.readAll()
      return new Map([...registrations].map(([id, own]) => [id, this.resolve(own, all.get(id))]))
    } catch (error) {
      // The next caller asks the database again.
      this.invalidate()
      throw error
    }
  }

  private resolve(registration: Registration, saved: SavedSettings = NOTHING_STORED): EffectiveSettings {
    const { providerId } = registration
    const keys = this.keys()
    const origin = originOf(saved.bound_base_url)
    const opened = Object.entries(saved.secrets).map(([field, all]) => {
      return [field, all.map((sealed) => keys.open(sealed, { providerId, field, origin }))] as const
    })
    return resolveEffective(registration, { ...saved, secrets: Object.fromEntries(opened) })
  }
}
