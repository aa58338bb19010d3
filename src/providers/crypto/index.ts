import type { ModuleProviderExports } from "@medusajs/framework/types"
import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import requirePlugin from "./require-plugin"
import CryptoPaymentProvider from "./service"

/**
 * The payment provider, for `resolve: "medusa-payment-crypto/providers/crypto"` under the payment module in
 * medusa-config. A registration with `id: "default"` becomes the provider `pp_crypto_default`. Options:
 * docs/configuration.md.
 */
// oxlint-disable-next-line @typescript-eslint/no-unnecessary-type-assertion -- it is what the declaration is made of
export default ModuleProvider(Modules.PAYMENT, {
  services: [CryptoPaymentProvider],
  loaders: [requirePlugin],
}) as ModuleProviderExports
