import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"
import type { AttentionReason } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import {
  CryptoPaymentEvents,
  type AuditFailedData,
  type CryptoPaymentEventData,
} from "../modules/crypto-payments/events"
import { PAYMENTS_ALONE } from "../modules/crypto-payments/reports/people"
import { sendNotification } from "../workflows/send-notification"

/** As in the English admin. */
const REASON_TITLES: Partial<Record<string, string>> = {
  paid_without_order: "Paid, no order",
  order_underpaid: "Order underpaid",
  order_overpaid: "Order overpaid",
  orphan_paid: "Paid for an outdated cart",
  duplicate_payment: "Paid twice",
  paid_on_canceled: "Paid, order canceled or deleted",
  order_not_canceled: "Unpaid order, not canceled",
  partly_paid: "Partly paid",
  settle_fails: "Cannot be processed",
  amount_mismatch: "Amount differs",
  provider_missing: "Provider not registered",
  gateway_refuses: "Gateway refuses",
  gateway_unreadable: "Gateway does not answer",
  gateway_unclear: "Gateway's answer is unclear",
} satisfies Record<AttentionReason, string>

type Told = CryptoPaymentEventData | AuditFailedData

/**
 * Notifies the merchant of a new case and of the audit's findings, in the admin's bell or as the option `notifications`
 * says. The attention list and the audit's report show both anyway, so a failure only costs a second try and a log
 * entry.
 */
export default async function notifyMerchant({ event, container }: SubscriberArgs<Told>): Promise<void> {
  const { name, data } = event
  sendNotification(container, { name, event_id: data.event_id }, async () => {
    const { settings } = resolveLedger(container)
    const place = await settings.readNotifications("rules" in data ? undefined : data.provider_id)
    return place === false
      ? undefined
      : { ...place, template: "crypto-payment", data: await describe(container, data) }
  })
  await Promise.resolve()
}

/** The text may go to a chat, and the gateway may send any. */
const LONGEST_REFERENCE = 40

/**
 * For the bell and for templates: no payer, and no id that opens a cart or an order. The bell shows two texts, to every
 * admin user. The gateway's reference, or its id of the payment, tells two payments apart.
 */
async function describe(container: MedusaContainer, event: Told): Promise<Record<string, unknown>> {
  if ("rules" in event) {
    const { findings, rules } = event
    return {
      title: "Crypto payments: checks",
      description: `Findings: ${String(findings)}. Open Crypto payments, Checks.`,
      findings,
      rules,
    }
  }
  const { id, amount, currency_code, reason = "" } = event
  const payment = await resolveLedger(container).shown.require(id, PAYMENTS_ALONE)
  const { order_display_id: number, paid_at, gateway_amount, gateway_currency_symbol } = payment
  const reference = payment.ref_id ?? payment.payment_request_id
  const asked = `${amount} ${currency_code.toUpperCase()}`
  const came = `${MathBN.convert(gateway_amount ?? amount, 2).toFixed(2)} ${(gateway_currency_symbol || currency_code).toUpperCase()}`
  const told = [
    number !== null && `Order #${String(number)}`,
    reference && `Reference ${reference.slice(0, LONGEST_REFERENCE)}`,
    paid_at === null || came === asked ? asked : `${came} received, ${asked} requested`,
  ]
  return {
    title: `Crypto payment: ${REASON_TITLES[reason] ?? "needs attention"}`,
    description: `${told.filter(Boolean).join(", ")}. Open Crypto payments, Attention.`,
    id,
    amount,
    currency_code,
    reason,
  }
}

export const config: SubscriberConfig = {
  event: [CryptoPaymentEvents.ATTENTION_REQUIRED, CryptoPaymentEvents.AUDIT_FAILED],
  context: { subscriberId: "crypto-payment-notify-merchant" },
}
