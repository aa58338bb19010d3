import { MedusaError } from "@medusajs/framework/utils"
import { notConfiguredError, providerMissingError, unknownProviderError } from "../errors"
import {
  describeProblem,
  NOTHING_STORED,
  resolveEffective,
  type EffectiveSettings,
  type ProviderSettings,
} from "./effective-settings"
import { toOptionName } from "./names"
import type { Registration } from "./options-schema"
import { readRegistrations, type ConfigModuleLike } from "./registrations"
import type { SettingsStore } from "./settings-store"

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

  async listConfigured(): Promise<string[]> {
    return (await this.list()).flatMap(({ isConfigured, providerId }) => (isConfigured ? providerId : []))
  }

  /** Keys for notifications about a row, by registered provider; an empty list if none can be verified. */
  async listNotificationKeys(): Promise<Map<string, string[]>> {
    const all = await this.list()
    return new Map(all.map((one) => [one.providerId, one.isConfigured ? one.secret_keys : []]))
  }

  async listRegistered(): Promise<string[]> {
    return [...(await this.listRegistrations()).keys()]
  }

  /** What medusa-config gives, read once: nothing changes it while the process runs. */
  async listRegistrations(): Promise<Map<string, Registration>> {
    return await (this.registrations ??= readRegistrations(this.config))
  }

  /** Where the merchant is notified of a provider's cases. Other news goes to the first provider's receiver. */
  async readNotifications(providerId: string | undefined): Promise<Registration["notifications"]> {
    const registrations = await this.listRegistrations()
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
    if (!effective.isConfigured) {
      throw notConfiguredError(effective.missing.map(toOptionName), describeProblem(effective.problem))
    }
    return effective
  }

  /** A save takes effect at once on this instance: later callers do not get an earlier read. */
  invalidate(): void {
    this.latest = undefined
  }

  private async resolveAll(): Promise<Map<string, EffectiveSettings>> {
    if (this.latest === undefined || Date.now() - this.latest.startedAtMs >= MAX_AGE_MS) {
      this.latest = { startedAtMs: Date.now(), all: this.read() }
    }
    return await this.latest.all
  }

  private async read(): Promise<Map<string, EffectiveSettings>> {
    try {
      const registrations = await this.listRegistrations()
      const saved = registrations.size === 0 ? undefined : await this.store.readAll(registrations)
      return new Map(
        [...registrations].map(([id, own]) => [id, resolveEffective(own, saved?.get(id) ?? NOTHING_STORED)])
      )
    } catch (error) {
      // The next caller asks the database again.
      this.invalidate()
      throw error
    }
  }
}
