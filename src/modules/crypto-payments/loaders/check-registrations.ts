import type { LoaderOptions, Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { readProxy } from "../../../gateway"
import { listForeignPackages } from "../health/admin-packages"
import { describeLocking } from "../health/locking"
import { readRegistrations, type ConfigModuleLike } from "../settings/registrations"

/** Commands of Medusa's that load the store and end. Several set the worker mode "server", which says nothing then. */
const ONE_OFF_COMMAND = /^(?:db:|plugin:|(?:user|exec|build)$)/

/**
 * Stops the boot when medusa-config is wrong, with a sentence that names the line to correct. A process that serves or
 * works warns when instances do not share locks, and when the admin pages cannot work.
 */
export default async function checkRegistrations({ container }: LoaderOptions): Promise<void> {
  const config = container.resolve<ConfigModuleLike>(ContainerRegistrationKeys.CONFIG_MODULE)
  const registrations = await readRegistrations(config)
  if (registrations.size === 0 || ONE_OFF_COMMAND.test(process.argv[2] ?? "")) {
    return
  }
  const logger = container.resolve<Logger>(ContainerRegistrationKeys.LOGGER)
  const { fits, message } = describeLocking(config)
  if (!fits) {
    logger.warn(`medusa-payment-crypto: ${message}`)
  }
  try {
    readProxy()
  } catch (error) {
    logger.warn(`medusa-payment-crypto: ${(error as Error).message}. The gateway cannot be called.`)
  }
  const foreign = config.admin?.disable === true ? [] : listForeignPackages(__filename)
  if (foreign.length > 0) {
    logger.warn(
      `medusa-payment-crypto: the admin pages get another copy of ${foreign.join(" and ")} than Medusa's dashboard, ` +
        "so they will not work. Install the dashboard's version in this store: docs/deployment.md, The router of the admin."
    )
  }
}
