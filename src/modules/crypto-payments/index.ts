import type { LoaderOptions, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Module } from "@medusajs/framework/utils"
import CryptoPaymentsModuleService from "./service"
import { CRYPTO_PAYMENTS_MODULE } from "./settings/names"
import { readRegistrations, type ConfigModuleLike } from "./settings/registrations"

export { CRYPTO_PAYMENTS_MODULE }

/** Written out, because the type that TypeScript infers names a package that this one does not declare. */
type CryptoPaymentsModule = ReturnType<
  typeof Module<typeof CRYPTO_PAYMENTS_MODULE, typeof CryptoPaymentsModuleService>
>

/** Stops the boot when medusa-config is wrong, with a sentence that names the line to correct. */
async function checkRegistrations({ container }: LoaderOptions): Promise<void> {
  await readRegistrations(container.resolve<ConfigModuleLike>(ContainerRegistrationKeys.CONFIG_MODULE))
}

/** The plugin's module. A store names it only in `dependencies: ["cryptoPayments"]` of its payment module. */
// oxlint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- it is what the declaration is made of
export default Module(CRYPTO_PAYMENTS_MODULE, {
  service: CryptoPaymentsModuleService,
  loaders: [checkRegistrations],
}) as CryptoPaymentsModule

/** The plugin's module, from the container of a request, a job, a subscriber or a workflow. */
export function resolveLedger(container: MedusaContainer): CryptoPaymentsModuleService {
  return container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
}
