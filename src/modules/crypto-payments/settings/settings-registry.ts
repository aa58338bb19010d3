import { setTimeout as delay } from "node:timers/promises"
import { MedusaError } from "@medusajs/framework/utils"
import { notConfiguredError, providerMissingError } from "../errors"
import { resolveEffective, secretReader, type EffectiveSettings } from "./effective-settings"
import { ENCRYPTION_KEY_VARIABLE, EncryptionKeys } from "./encryption-keys"
import type { ProviderSettings, SettingsResolution } from "./provider-settings"
import { readRegistrations, type ConfigModuleLike } from "./registrations"
import type { SettingsStore } from "./settings-store"
import { NOTHING_STORED, originOf, type Registration, type StoredSettings } from "./stored-settings"

/** How long a change made on another instance may stay unseen. */
const MAX_AGE_MS = 2000
/** How often what is saved is read again because a notification's hash does not match. */
const REREAD_EVERY_MS = 250
/** With more waiting, a notification is judged by what is known. The gateway sends a refused one again. */
const MOST_WAITING = 200

/** A provider's settings, with the data from which they were made, which shows whether they are still valid. */
interface CachedSettings {
  effective: EffectiveSettings
  saved: string
  keys: EncryptionKeys
}

/** The one resolved settings object per provider id: medusa-config and what is saved, at most two seconds old. */
export class SettingsRegistry {
  private registrations: Promise<Map<string, Registration>> | undefined
  private cached = new Map<string, CachedSettings>()
  private readAtMs = -Infinity
  private reading: Promise<void> | undefined
  /** Grows with every save here, so that a read begun before one does not count. */
  private generation = 0
  private readonly rereads: { next: Promise<void> | undefined; startedAtMs: number; waiting: number } = {
    next: undefined,
    startedAtMs: -Infinity,
    waiting: 0,
  }
  private parsedKeys: { text: string | undefined; keys: EncryptionKeys } | undefined

  constructor(
    private readonly config: ConfigModuleLike,
    private readonly store: SettingsStore,
    private readonly environment: Record<string, string | undefined> = process.env
  ) {}

  /** @returns undefined when medusa-config registers no such provider */
  async resolve(providerId: string): Promise<SettingsResolution | undefined> {
    return (await this.find(providerId))?.resolution
  }

  /** The same object as long as nothing changes. @returns undefined when medusa-config registers no such provider */
  async find(providerId: string): Promise<EffectiveSettings | undefined> {
    await this.refresh()
    return this.cached.get(providerId)?.effective
  }

  /** Of every registered provider. */
  async list(): Promise<EffectiveSettings[]> {
    await this.refresh()
    return [...this.cached.values()].map(({ effective }) => effective)
  }

  /** The origins of the providers' addresses, by the provider's id; without those that have none. */
  async listOrigins(): Promise<Map<string, string>> {
    return new Map(
      (await this.list()).flatMap(({ registration, fields }): [string, string][] => {
        const origin = originOf(fields.baseUrl.value)
        return origin === null ? [] : [[registration.providerId, origin]]
      })
    )
  }

  /** Ids of the providers medusa-config registers. */
  async listRegistered(): Promise<string[]> {
    return [...(await this.load()).keys()]
  }

  /** Ids of the providers that have all they need. */
  async listConfigured(): Promise<string[]> {
    return (await this.list())
      .filter(({ resolution }) => resolution.configured)
      .map(({ registration }) => registration.providerId)
  }

  /** @throws MedusaError (400) naming what is not given yet */
  async require(providerId: string): Promise<ProviderSettings> {
    const resolution = await this.resolve(providerId)
    if (resolution === undefined) {
      throw providerMissingError(providerId, MedusaError.Types.INVALID_DATA)
    }
    if (!resolution.configured) {
      throw notConfiguredError(resolution.missing, resolution.problem)
    }
    return resolution.settings
  }

  /**
   * The keys that a notification about a row of each provider may be signed with.
   *
   * @returns by the id of each registered provider; an empty list when nothing of it can be verified
   */
  async listNotificationKeys(): Promise<Map<string, string[]>> {
    return new Map(
      (await this.list()).map(({ registration, resolution }) => [
        registration.providerId,
        resolution.configured ? resolution.settings.secretKeys : [],
      ])
    )
  }

  /** How long a provider lets an order stay unpaid, in milliseconds; null without a limit. */
  async unpaidOrderTtlMs(providerId: string): Promise<number | null> {
    const resolution = await this.resolve(providerId)
    if (!resolution?.configured || resolution.settings.orderPlacement !== "before_payment") {
      return null
    }
    const minutes = resolution.settings.unpaidOrderTtlMinutes
    return minutes === undefined ? null : minutes * 60_000
  }

  /** The keys of stored secrets, as the environment gives them now. */
  keys(): EncryptionKeys {
    const text = this.environment[ENCRYPTION_KEY_VARIABLE]
    if (this.parsedKeys === undefined || this.parsedKeys.text !== text) {
      this.parsedKeys = { text, keys: EncryptionKeys.parse(text) }
    }
    return this.parsedKeys.keys
  }

  /**
   * Reads what is saved, beginning after this call, so that a change made on another instance is seen. However many
   * ask, it is read four times a second at most.
   */
  async reread(): Promise<void> {
    const { rereads } = this
    if (rereads.waiting >= MOST_WAITING) {
      return
    }
    rereads.waiting++
    try {
      await (rereads.next ??= this.startReread())
    } finally {
      rereads.waiting--
    }
  }

  private async startReread(): Promise<void> {
    const { rereads } = this
    await delay(Math.max(0, rereads.startedAtMs + REREAD_EVERY_MS - performance.now()))
    // Later callers need the next read.
    rereads.next = undefined
    rereads.startedAtMs = performance.now()
    this.invalidate()
    await this.refresh()
  }

  /** @see SettingsStore.startAnotherAccount */
  async startAnotherAccount(...given: Parameters<SettingsStore["startAnotherAccount"]>): Promise<boolean> {
    const isStarted = await this.store.startAnotherAccount(...given)
    this.invalidate()
    return isStarted
  }

  /** Settings saved on this instance take effect here at once. */
  invalidate(): void {
    this.generation++
    this.readAtMs = -Infinity
    this.reading = undefined
  }

  private async load(): Promise<Map<string, Registration>> {
    return await (this.registrations ??= readRegistrations(this.config))
  }

  private async refresh(): Promise<void> {
    const registrations = await this.load()
    if (registrations.size > 0 && Date.now() - this.readAtMs >= MAX_AGE_MS) {
      const reading = (this.reading ??= this.read(registrations, this.generation))
      try {
        await reading
      } finally {
        if (this.reading === reading) {
          this.reading = undefined
        }
      }
    }
  }

  private async read(registrations: Map<string, Registration>, generation: number): Promise<void> {
    const startedAtMs = Date.now()
    let stored: Map<string, StoredSettings>
    try {
      stored = await this.store.readAll()
    } catch (error) {
      if (this.cached.size > 0) {
        return // The database is away for a moment: what was known a moment ago serves until it is back.
      }
      throw error
    }
    if (generation !== this.generation) {
      await this.refresh()
      return
    }
    const keys = this.keys()
    this.cached = new Map(
      [...registrations].map(([providerId, registration]) => {
        const settings = stored.get(providerId) ?? NOTHING_STORED
        const saved = JSON.stringify(settings)
        const known = this.cached.get(providerId)
        const read = secretReader(keys, providerId, settings)
        return [
          providerId,
          known?.saved === saved && known.keys === keys
            ? known
            : { effective: resolveEffective(registration, settings, read), saved, keys },
        ]
      })
    )
    this.readAtMs = startedAtMs
  }
}
