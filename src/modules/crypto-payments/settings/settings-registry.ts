import { setTimeout as delay } from "node:timers/promises"
import { MedusaError } from "@medusajs/framework/utils"
import { notConfiguredError, providerMissingError } from "../errors"
import {
  resolveEffective,
  secretReader,
  type EffectiveSettings,
  type ProviderSettings,
  type SettingsResolution,
} from "./effective-settings"
import { ENCRYPTION_KEY_VARIABLE, EncryptionKeys } from "./encryption-keys"
import { toOptionName } from "./names"
import { readRegistrations, type ConfigModuleLike } from "./registrations"
import type { SettingsStore } from "./settings-store"
import { NOTHING_STORED, originOf, type Registration, type StoredSettings } from "./stored-settings"

/** How long a change made on another instance may stay unseen. */
const MAX_AGE_MS = 2000
/** How often what is saved is read again because a notification's hash does not match. */
const REREAD_EVERY_MS = 250

/** A provider's settings, with the data from which they were made, which shows whether they are still valid. */
interface ResolvedSettings {
  effective: EffectiveSettings
  madeFrom: string
}

/** The one resolved settings object per provider id: medusa-config and what is saved, at most two seconds old. */
export class SettingsRegistry {
  private registrations: Promise<Map<string, Registration>> | undefined
  private known = new Map<string, ResolvedSettings>()
  private latest: { startedAtMs: number; resolved: Promise<Map<string, ResolvedSettings>> } | undefined
  private nextReread: Promise<void> | undefined
  private rereadAtMs = -Infinity

  constructor(
    private readonly config: ConfigModuleLike,
    private readonly store: SettingsStore
  ) {}

  /** @returns undefined when medusa-config registers no such provider */
  async resolve(providerId: string): Promise<SettingsResolution | undefined> {
    return (await this.find(providerId))?.resolution
  }

  /** The same object as long as nothing changes. @returns undefined when medusa-config registers no such provider */
  async find(providerId: string): Promise<EffectiveSettings | undefined> {
    return (await this.resolveAll()).get(providerId)?.effective
  }

  /** Of every registered provider. */
  async list(): Promise<EffectiveSettings[]> {
    return [...(await this.resolveAll()).values()].map(({ effective }) => effective)
  }

  /** The origins of the providers' addresses, by the provider's id; without those that have none. */
  async listOrigins(): Promise<Map<string, string>> {
    return new Map(
      (await this.list()).flatMap(({ registration, fields }): [string, string][] => {
        const origin = originOf(fields.base_url.value)
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
      throw notConfiguredError(resolution.missing.map(toOptionName), resolution.problem)
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
    return EncryptionKeys.parse(process.env[ENCRYPTION_KEY_VARIABLE])
  }

  /**
   * Reads what is saved, beginning after this call, so that a change made on another instance is seen. However many
   * ask, it is read four times a second at most.
   */
  async reread(): Promise<void> {
    await (this.nextReread ??= this.startReread())
  }

  private async startReread(): Promise<void> {
    await delay(Math.max(0, this.rereadAtMs + REREAD_EVERY_MS - performance.now()))
    // Later callers need the next read.
    this.nextReread = undefined
    this.rereadAtMs = performance.now()
    this.invalidate()
    await this.resolveAll()
  }

  /** @see SettingsStore.startAnotherAccount */
  async startAnotherAccount(...given: Parameters<SettingsStore["startAnotherAccount"]>): Promise<boolean> {
    const isStarted = await this.store.startAnotherAccount(...given)
    this.invalidate()
    return isStarted
  }

  /** Settings saved on this instance take effect here at once: who asks from now on does not get an earlier read. */
  invalidate(): void {
    this.latest = undefined
  }

  private async load(): Promise<Map<string, Registration>> {
    return await (this.registrations ??= readRegistrations(this.config))
  }

  private async resolveAll(): Promise<Map<string, ResolvedSettings>> {
    if (this.latest === undefined || Date.now() - this.latest.startedAtMs >= MAX_AGE_MS) {
      this.latest = { startedAtMs: Date.now(), resolved: this.read() }
    }
    return await this.latest.resolved
  }

  private async read(): Promise<Map<string, ResolvedSettings>> {
    const registrations = await this.load()
    try {
      const stored = registrations.size === 0 ? new Map<string, StoredSettings>() : await this.store.readAll()
      const resolved = [...registrations].map(([providerId, registration]) => {
        const settings = stored.get(providerId) ?? NOTHING_STORED
        const madeFrom = JSON.stringify([settings, process.env[ENCRYPTION_KEY_VARIABLE]])
        const known = this.known.get(providerId)
        const read = secretReader(this.keys(), providerId, settings)
        const isKnown = known?.madeFrom === madeFrom
        return [
          providerId,
          isKnown ? known : { effective: resolveEffective(registration, settings, read), madeFrom },
        ] as const
      })
      this.known = new Map(resolved)
      return this.known
    } catch (error) {
      this.invalidate()
      if (this.known.size > 0) {
        return this.known // The database is away for a moment: what was known a moment ago serves until it is back.
      }
      throw error
    }
  }
}
