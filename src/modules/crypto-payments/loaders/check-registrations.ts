import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { describeLocking } from "../health/locking"
import { readRegistrations, type ConfigModuleLike } from "../settings/registrations"

/**
 * Stops the boot when medusa-config is wrong for us, with a sentence that names the line to correct; warns when carts
 * are not locked between the instances there seem to be.
 */
export default async function checkRegistrations({ container }: LoaderOptions): Promise<void> {
  const config = container.resolve<ConfigModuleLike>(ContainerRegistrationKeys.CONFIG_MODULE)
  const registrations = await readRegistrations(config)
  const { fits, message } = describeLocking(config)
  if (registrations.size > 0 && !fits) {
    container.resolve<Logger>(ContainerRegistrationKeys.LOGGER).warn(`medusa-payment-crypto: ${message}`)
  }
}
