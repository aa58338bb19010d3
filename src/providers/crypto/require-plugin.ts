import type { LoaderOptions } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments/settings/names"

/**
 * Stops the boot of a store whose medusa-config registers the provider and not the plugin. Only the provider can
 * notice: nothing else of this package is loaded there.
 */
export default async function requirePlugin({ container }: LoaderOptions): Promise<void> {
  const config = container.resolve<{ modules?: Record<string, unknown> } | undefined>(
    ContainerRegistrationKeys.CONFIG_MODULE
  )
  if (config?.modules !== undefined && !(CRYPTO_PAYMENTS_MODULE in config.modules)) {
    throw pluginNotLoaded()
  }
}

/** What the provider cannot do anything without. */
export function pluginNotLoaded(): MedusaError {
  return new MedusaError(
    MedusaError.Types.UNEXPECTED_STATE,
    'medusa-payment-crypto, in medusa-config: the plugin is not loaded. Add { resolve: "medusa-payment-crypto", options: {} } to plugins.'
  )
}
