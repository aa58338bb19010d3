import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { describeLocking } from "../health/locking"
import { readRegistrations, type ConfigModuleLike } from "../settings/registrations"

/**
 * Commands of Medusa's that load the store, do one thing and end. Several of them set the worker mode to "server", so
 * it does not say there how many instances the store has.
 */
const ONE_OFF_COMMAND = /^(?:db:|plugin:|(?:user|exec|build)$)/

/**
 * Stops the boot when medusa-config is wrong for us, with a sentence that names the line to correct. In a process that
 * serves or works it warns when carts are not locked between the instances there seem to be.
 */
export default async function checkRegistrations({ container }: LoaderOptions): Promise<void> {
  const config = container.resolve<ConfigModuleLike>(ContainerRegistrationKeys.CONFIG_MODULE)
  const registrations = await readRegistrations(config)
  const { fits, message } = describeLocking(config)
  const isOneOff = ONE_OFF_COMMAND.test(process.argv[2] ?? "")
  if (registrations.size > 0 && !fits && !isOneOff) {
    container.resolve<Logger>(ContainerRegistrationKeys.LOGGER).warn(`medusa-payment-crypto: ${message}`)
  }
}
