import { ModuleProvider, Modules } from "@medusajs/framework/utils"
import CryptoPaymentProvider from "./service"

/**
 * The payment provider, for `resolve: "medusa-payment-crypto/providers/crypto"` under the payment module in
 * medusa-config. A registration with `id: "default"` becomes the provider `pp_crypto_default`. Options: README,
 * "Configure".
 */
export default ModuleProvider(Modules.PAYMENT, { services: [CryptoPaymentProvider] })
