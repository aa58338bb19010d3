import { model } from "@medusajs/framework/utils"

/** What happened to a provider lately, one row each. */
export const CryptoPaymentProviderStatus = model.define("crypto_payment_provider_status", {
  /** The provider's id, `pp_crypto_<id>`. */
  id: model.text().primaryKey(),
  /** At most one update a minute each, so that a flood costs nothing. */
  last_webhook_at: model.dateTime().nullable(),
  last_refused_webhook_at: model.dateTime().nullable(),
  /** @see RefusalReason */
  last_refused_webhook_reason: model.text().nullable(),
  /** When a shopper last got no payment link; null once one was made again. At most one update a minute. */
  last_checkout_failed_at: model.dateTime().nullable(),
  /** @see CheckoutFailureCode */
  last_checkout_failure_code: model.text().nullable(),
  /** The host of a payment link that `paymentLinkHosts` does not list. */
  last_checkout_failure_host: model.text().nullable(),
  /** SHA-256 of the nonce a self-test of the webhook is under way with. */
  self_test_hash: model.text().nullable(),
  self_test_expires_at: model.dateTime().nullable(),
})
