import type { LoaderOptions } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { readRegistrations, type ConfigModuleLike } from "../settings/registrations"

/** Stops the boot when medusa-config is wrong, with a sentence that names the line to correct. */
export default async function checkRegistrations({ container }: LoaderOptions): Promise<void> {
  await readRegistrations(container.resolve<ConfigModuleLike>(ContainerRegistrationKeys.CONFIG_MODULE))
}
