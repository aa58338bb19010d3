import { deliver, recordDelivery } from "../delivery"
import { findCoin } from "../coins"
import { decimal, formatDecimal } from "../decimal"
import { Refused } from "../http"
import { notificationBody, notificationData, type Tamper } from "../notification"
import type { Payment } from "../payment"
import { markDeclined, markPaid, markPartlyPaid, notify, type PayOptions } from "../payment-actions"
import type { SandboxState } from "../state"

/** Where a pressed button leads: the shop, or this page again when undefined. */
type Next = string | undefined

/** The buttons that pay at once, with the notifications that follow. */
const PAYING = new Map([
  ["pay", ["PAID"]],
  ["twice", ["PAID", "PAID"]],
  ["out_of_order", ["PAID", "UNPAID"]],
  ["lost", []],
  ["too_little", ["PAID"]],
  ["too_much", ["PAID"]],
  ["other_currency", ["PAID"]],
])

const CENT = decimal("0.01")

/** What the record says after these buttons: a half less or more, or the same figure in the other currency. */
function paidOtherwise({ amount, currencySymbol }: Payment, action: string): PayOptions {
  const half = (decimal(amount) / 2n / CENT) * CENT
  switch (action) {
    case "too_little":
      return { amount: formatDecimal(decimal(amount) - half) }
    case "too_much":
      return { amount: formatDecimal(decimal(amount) + half) }
    case "other_currency":
      return { currencySymbol: currencySymbol === "AED" ? "USD" : "AED" }
    default:
      return {}
  }
}

/** Handles a button of the payment page. A second press changes nothing: the payer is only sent on. */
export async function pressButton(state: SandboxState, payment: Payment, action: string): Promise<Next> {
  if (action.startsWith("coin:")) {
    return chooseCoin(payment, action.slice("coin:".length))
  }
  const statuses = PAYING.get(action)
  if (statuses !== undefined) {
    pay(state, payment, statuses, action.replaceAll("_", " "), paidOtherwise(payment, action))
    return payment.ipnSuccessUrl
  }
  switch (action) {
    case "late":
      state.after(state.settings.latePaymentMs, () => {
        pay(state, payment, ["PAID"], "late")
      })
      return payment.ipnFailedUrl
    case "part":
      return payPart(state, payment)
    case "decline":
      return decline(state, payment)
    case "forge":
      await forge(state, payment, "hash", "PAID")
      await forge(state, payment, "boundary", "UNPAID")
      return undefined
    default:
      throw new Refused(400, "no such button")
  }
}

function chooseCoin(payment: Payment, coin: string): Next {
  if (!findCoin(coin)) {
    throw new Refused(400, "no such coin")
  }
  if (!payment.paid) {
    payment.selectedCoin = coin
  }
  return undefined
}

function pay(
  state: SandboxState,
  payment: Payment,
  statuses: readonly string[],
  reason: string,
  options: PayOptions = {}
): void {
  if (!payment.paid) {
    markPaid(state, payment, options)
    void notify(state, payment, statuses, reason)
  }
}

function payPart(state: SandboxState, payment: Payment): Next {
  if (payment.paid) {
    return undefined
  }
  markPartlyPaid(state, payment)
  void notify(state, payment, ["UNPAID"], "part")
  return payment.ipnSuccessUrl
}

function decline(state: SandboxState, payment: Payment): Next {
  if (payment.paid) {
    return undefined
  }
  markDeclined(payment)
  void notify(state, payment, ["UNPAID"], "decline")
  return payment.ipnFailedUrl
}

/** One try, awaited, so that the page can show the shop's answer at once. */
async function forge(state: SandboxState, payment: Payment, tamper: Tamper, status: string): Promise<void> {
  const body = notificationBody(notificationData(payment, status, state), state.secretKey, tamper)
  const forged = { payment_request_id: payment.id, status: "PAID", reason: `forged: ${tamper}`, body }
  await deliver(state, recordDelivery(state, forged), 1)
}
