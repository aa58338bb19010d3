import type { IEventBusModuleService } from "@medusajs/framework/types"
import type { CryptoPaymentRequestRow } from "./models/crypto-payment-request"

/** Names of the events this plugin emits. Payloads hold ids, amounts and reasons only. */
export const CryptoPaymentEvents = {
  /** Internal: a provider has no workflow engine, so it asks for a settle. Payload `{ id }`. */
  CHECK_REQUESTED: "crypto_payment.check_requested",
  /** A payment request became a captured payment, and its order exists. */
  SETTLED: "crypto_payment.settled",
  /** A person must look; once per case. */
  ATTENTION_REQUIRED: "crypto_payment.attention_required",
} as const

/** Payload of `settled` and `attention_required`. Amount as asked for, in major units, two decimals. */
export interface CryptoPaymentEventData {
  /** The same for every repeat of one event: events are sent at least once, and a subscriber drops repeats by it. */
  event_id: string
  id: string
  provider_id: string
  payment_request_id: string | null
  session_id: string
  cart_id: string | null
  order_id: string | null
  amount: string
  currency_code: string
  /** Only on `attention_required`. */
  reason?: string
}

/** Emits at once: a settle is no transaction of core's, so there is nothing to group with. */
export async function emitEvent(
  eventBus: IEventBusModuleService,
  name: (typeof CryptoPaymentEvents)[keyof typeof CryptoPaymentEvents],
  data: CryptoPaymentEventData | { id: string }
): Promise<void> {
  await eventBus.emit({ name, data })
}

export function eventData(row: CryptoPaymentRequestRow, event_id: string): CryptoPaymentEventData {
  const { id, provider_id, payment_request_id, session_id, cart_id, order_id, amount, currency_code } = row
  return {
    event_id,
    id,
    provider_id,
    payment_request_id,
    session_id,
    cart_id,
    order_id,
    amount,
    currency_code,
  }
}
