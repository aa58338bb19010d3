import { MedusaError } from "@medusajs/framework/utils"
import { notConfiguredError } from "../errors"
import type { ProviderSettings, SettingsResolution } from "./provider-settings"
import { readRegistrations, type ConfigModuleLike } from "./registrations"

/** The one resolved settings object per provider id, read when called. */
export class SettingsRegistry {
  private registrations: Promise<Map<string, SettingsResolution>> | undefined

  constructor(private readonly config: ConfigModuleLike) {}

  /** @returns undefined when medusa-config registers no such provider */
  async resolve(providerId: string): Promise<SettingsResolution | undefined> {
    return (await this.load()).get(providerId)
  }

  /** Ids of the providers medusa-config registers. */
  async listRegistered(): Promise<string[]> {
    return [...(await this.load()).keys()]
  }

  /** Ids of the providers that have all they need. */
  async listConfigured(): Promise<string[]> {
    const registrations = [...(await this.load())]
    return registrations.filter(([, { configured }]) => configured).map(([providerId]) => providerId)
  }

  /** @throws MedusaError (400) naming what is not given yet */
  async require(providerId: string): Promise<ProviderSettings> {
    const resolution = await this.resolve(providerId)
    if (resolution === undefined) {
      throw new MedusaError(
        MedusaError.Types.INVALID_DATA,
        `medusa-config registers no crypto payment provider "${providerId}".`
      )
    }
    if (!resolution.configured) {
      throw notConfiguredError(resolution.missing)
    }
    return resolution.settings
  }

  private async load(): Promise<Map<string, SettingsResolution>> {
    return await (this.registrations ??= readRegistrations(this.config))
  }
}
