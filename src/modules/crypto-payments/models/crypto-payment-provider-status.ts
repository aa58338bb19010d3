import { model } from "@medusajs/framework/utils"

/** What happened to a provider lately, one row each. */
export const CryptoPaymentProviderStatus = model.define("crypto_payment_provider_status", {
  id: model.text().primaryKey(),
  /** At most one update a minute each, however many notifications arrive. */
  last_webhook_at: model.dateTime().nullable(),
  last_refused_webhook_at: model.dateTime().nullable(),
  /** @see RefusalReason */
  last_refused_webhook_reason: model.text().nullable(),
  /** When a notification was last verified by the secret key before the present one. Null after either has changed. */
  former_key_used_at: model.dateTime().nullable(),
  /** When a shopper last got no payment link; null once one was created again. At most one update a minute. */
  last_checkout_failed_at: model.dateTime().nullable(),
  /** @see CheckoutFailure */
  last_checkout_failure_code: model.text().nullable(),
  /** The host of a payment link that `paymentLinkHosts` does not list. */
  last_checkout_failure_host: model.text().nullable(),
  /**
   * The store's public address when the provider was set up, or as the merchant last saved the settings. Another one
   * today shows a copy of the database, or a store that has moved.
   */
  set_up_address: model.text().nullable(),
  /** Of the last self-test of the webhook that arrived. Each test has a nonce of its own. */
  self_test_nonce: model.text().nullable(),
})
