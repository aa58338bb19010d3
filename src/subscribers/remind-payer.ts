import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { resolveLedger } from "../modules/crypto-payments"
import { CryptoPaymentEvents, type AwaitingPaymentData } from "../modules/crypto-payments/events"
import { readPayer } from "../modules/crypto-payments/payment-requests/session-facts"
import { isToPay } from "../modules/crypto-payments/payment-requests/session-status"
import { PAYMENTS_ALONE } from "../modules/crypto-payments/reports/people"
import { sendNotification } from "../workflows/send-notification"

/**
 * Reminds the payer of an unpaid link on the channel that the option `remindChannel` names; without it, only the event
 * is sent, as it is for a cart, which has no page to pay at. The e-mail address is read now: the event has no payer
 * data, and the address may have been corrected.
 */
export default async function remindPayer(args: SubscriberArgs<AwaitingPaymentData>): Promise<void> {
  const { container, event } = args
  const { name, data } = event
  sendNotification(container, { name, event_id: data.event_id }, async () => {
    const { settings, requests, shown } = resolveLedger(container)
    const channel = (await settings.listRegistrations()).get(data.provider_id)?.remind_channel
    const row = channel === undefined ? undefined : await requests.find(data.id)
    const { email } = row === undefined ? { email: null } : await readPayer(row)
    const { id, amount, currency_code, pay_page_url } = data
    // What was paid since, also in part, is not asked for; nor is anybody reminded who has no address to pay at.
    if (channel === undefined || row === undefined || !isToPay(row) || !email || pay_page_url === null) {
      return undefined
    }
    const { order_display_id } = await shown.require(id, PAYMENTS_ALONE)
    return {
      channel,
      to: email,
      template: "crypto-payment-reminder",
      data: { id, order_display_id, amount, currency_code, pay_page_url },
    }
  })
  await Promise.resolve()
}

export const config: SubscriberConfig = {
  event: CryptoPaymentEvents.AWAITING_PAYMENT,
  context: { subscriberId: "crypto-payment-remind-payer" },
}
