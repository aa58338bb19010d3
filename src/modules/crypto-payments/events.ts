import type { IEventBusModuleService } from "@medusajs/framework/types"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"
import { waitAtMost } from "./waiting"

/**
 * How long the event bus may take. Core holds a cart's lock during some events, for ten seconds at most, of which a
 * read of the gateway may have taken eight.
 */
export const EMIT_MS = 2000

/** Names of the events this plugin emits. Payloads contain only ids, amounts and reasons. */
export const CryptoPaymentEvents = {
  /** Internal: something is due. It wakes a worker, because a provider has no workflow engine. Payload `{}`. */
  CHECK_REQUESTED: "crypto_payment.check_requested",
  /** A payment request became a captured payment, and its order exists. */
  SETTLED: "crypto_payment.settled",
  /** A payment request needs manual review; once per case. */
  ATTENTION_REQUIRED: "crypto_payment.attention_required",
  /** A link is still unpaid after `remindAfterMinutes`; once per link. */
  AWAITING_PAYMENT: "crypto_payment.awaiting_payment",
  /** The audit found payments that are not explained. */
  AUDIT_FAILED: "crypto_payment.audit_failed",
} as const

/** Payload of `audit_failed`. */
export interface AuditFailedData {
  /** The same for every repeat. */
  event_id: string
  findings: number
  /** Names of the rules that are broken. */
  rules: string[]
}

/**
 * Emits at once. A settle is no transaction of core's, so there is nothing to group with.
 *
 * @throws what the bus throws; TookTooLong when it does not answer. The event may still be sent then.
 */
export async function emitEvent(
  eventBus: IEventBusModuleService,
  name: (typeof CryptoPaymentEvents)[keyof typeof CryptoPaymentEvents],
  data: CryptoPaymentEventData | AwaitingPaymentData | AuditFailedData | Record<string, never>
): Promise<void> {
  await waitAtMost(EMIT_MS, eventBus.emit({ name, data }))
}

/**
 * @param event_id the same for every repeat: events are sent at least once, and a subscriber ignores repeats by it
 * @returns the requested amount in major units, two decimals
 */
export function eventData(row: CryptoPaymentRequestRow, event_id: string) {
  const { id, provider_id, payment_request_id, session_id, cart_id, order_id, amount, currency_code } = row
  const ids = { id, provider_id, payment_request_id, session_id, cart_id, order_id }
  return { event_id, ...ids, amount, currency_code }
}

/** Payload of `settled` and `attention_required`, of which the latter has a `reason`. */
export type CryptoPaymentEventData = ReturnType<typeof eventData> & { reason?: string }

/** Payload of `awaiting_payment`: `amount` is what the order owes now, and `pay_page_url` its page, if it has one. */
export type AwaitingPaymentData = ReturnType<typeof eventData> & { pay_page_url: string | null }
