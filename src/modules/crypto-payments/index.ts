import { Module } from "@medusajs/framework/utils"
import checkRegistrations from "./loaders/check-registrations"
import CryptoPaymentsModuleService from "./service"

/** Key of the module in Medusa's container, and the word medusa-config puts into `dependencies`. */
export const CRYPTO_PAYMENTS_MODULE = "cryptoPayments"

/**
 * The plugin's module: the ledger of payment requests and the resolved settings. Medusa loads it with the plugin; a
 * store names it only in `dependencies: ["cryptoPayments"]` of its payment module.
 */
export default Module(CRYPTO_PAYMENTS_MODULE, {
  service: CryptoPaymentsModuleService,
  loaders: [checkRegistrations],
})
