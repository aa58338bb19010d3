import type { CryptoPayment } from "../../http-contract"
import { providerName } from "../../modules/crypto-payments/settings/names"
import { formatAmount, formatFiat } from "../shared/figures"
import { t, together } from "../shared/words"

/** The received currency: of fee, net and refunds. It may differ from the requested currency, which is its fallback. */
export const gatewayCurrency = ({ gateway_currency_symbol: symbol, currency_code: asked }: CryptoPayment) =>
  symbol?.toLowerCase() || asked

/** The received amount, if it differs from the requested one. */
export function paidOtherwise(payment: CryptoPayment): string | null {
  const { amount, currency_code: asked, gateway_amount: came, paid_at: paidAt } = payment
  const paid = paidAt === null || came === null ? null : formatFiat(came, gatewayCurrency(payment))
  return paid === formatFiat(amount, asked) ? null : paid
}

export const feePayer = (who: string | null): string | null =>
  who === "BUYER" || who === "MERCHANT" ? t(`feePaidBy.${who}`) : who

export const needsAttention = (payment: CryptoPayment): boolean =>
  payment.attention_reason !== null && payment.attention_resolved_at === null

/** The money was given to an order, and could not be captured at once: the schedule tries again. */
export const isWaitingForCapture = ({ state, captured_at }: CryptoPayment): boolean =>
  state === "paid" && captured_at === null

type Step = "check" | "draft" | "use" | "refund" | "link"

const STEPS: Partial<Record<string, Step>> = {
  order_underpaid: "link",
  order_overpaid: "refund",
  duplicate_payment: "refund",
  paid_on_canceled: "refund",
}

/** Its own order asks for another sum or currency. Another order that could take it is hardly the right one. */
export const isOfOtherSum = ({ attention_reason: reason, order_id }: CryptoPayment): boolean =>
  reason === "amount_mismatch" && order_id !== null

/** What most likely ends the case; all else is in the menu. */
export function likeliestStep(payment: CryptoPayment): Step | null {
  const { attention_reason: reason, can_make_draft, is_unused } = payment
  const money = can_make_draft ? "draft" : is_unused && !isOfOtherSum(payment) ? "use" : "refund"
  const isOfMoney = reason === "orphan_paid" || reason === "amount_mismatch"
  return reason === null || !needsAttention(payment) ? null : isOfMoney ? money : (STEPS[reason] ?? "check")
}

/** Cases whose words, or whose documentation, advise to give the payer a link. */
export const givesLink = (payment: CryptoPayment): boolean =>
  needsAttention(payment) &&
  payment.order_id !== null &&
  ["order_underpaid", "order_not_canceled", "partly_paid"].includes(payment.attention_reason ?? "")

/** With the numbers, if another sum was received than was requested, and nothing was captured. */
function receivedWords(payment: CryptoPayment): string | null {
  const { attention_reason: reason, captured_at, amount, currency_code: asked, cart_id, order_id } = payment
  const paid = paidOtherwise(payment)
  if (reason !== "amount_mismatch" || captured_at !== null || paid === null) {
    return null
  }
  const cents = Math.round(Number(amount) * 100) - Math.round(Number(payment.gateway_amount) * 100)
  const difference = { amount: formatFiat((Math.abs(cents) / 100).toFixed(2), asked) }
  const isOther = cents === 0 || gatewayCurrency(payment) !== asked
  return together([
    isOther && t("attention.otherCurrency", { paid, asked: formatFiat(amount, asked) }),
    !isOther && t(cents > 0 ? "attention.tooLittle" : "attention.tooMuch", difference),
    // A role that may not read orders is given neither id.
    cart_id !== null && order_id === null && t("attention.noOrder"),
  ])
}

/** An order that a stopped server may have left of the payment's cart. It matters while an order can be made. */
export const leftOrderOf = ({ attention_reason: reason, attention_detail, can_make_draft }: CryptoPayment) =>
  (can_make_draft || reason === "paid_without_order" ? attention_detail?.["order_id"] : null) ?? null

/** What happened and what to do, as for all cases of this reason, and what only this case has. */
export function caseWords(payment: CryptoPayment, isOwedShown = false) {
  const { attention_reason: reason, attention_amount: sum, cart_id, order_id, duplicate_of } = payment
  const order = leftOrderOf(payment)
  const received = receivedWords(payment)
  const values = { provider: providerName(payment.provider_id) }
  const amount = sum === null ? null : formatFiat(sum, payment.currency_code)
  const step = likeliestStep(payment)
  const [isDraft, isUse] = [step === "draft", step === "use"]
  const canBeAskedFor = paidOtherwise(payment) === null && (cart_id ?? order_id) !== null
  const isOfCart = reason === "partly_paid" && order_id === null
  const special = isDraft ? "todoDraft" : isUse ? "todoUse" : isOfCart ? "todoPartOfCart" : null
  return {
    received,
    meaning: t(`attention.reasons.${String(reason)}.happened`, values),
    own: together([
      received,
      reason === "order_underpaid" && !isOwedShown && amount && t("widget.owed", { amount }),
      reason === "order_overpaid" && amount && t("attention.excess", { amount }),
      reason === "duplicate_payment" && duplicate_of === null && t("attention.paidAnotherWay"),
      order && t("attention.orderLeft", { order }),
    ]),
    todo: together([
      t(special === null ? `attention.reasons.${String(reason)}.todo` : `attention.${special}`, values),
      (isDraft || isUse) && canBeAskedFor && t("attention.orCheck"),
      step === "check" && payment.can_make_draft && t("attention.orDraft"),
      (isDraft || step === "refund") && payment.is_unused && t("attention.orUse"),
    ]),
  }
}

/** About how much of the payer's coin a sum is, at the rate of this payment. */
export function inCoin(payment: CryptoPayment, sum: string): string | null {
  const { amount, gateway_amount: received, payment_amount: coins, payment_currency: coin } = payment
  const figure = (Number(sum) * Number(coins)) / Number(received ?? amount)
  if (coin === null || !Number.isFinite(figure) || figure <= 0) {
    return null
  }
  const plain = figure.toLocaleString("en", { maximumSignificantDigits: 6, useGrouping: false })
  return `${formatAmount(plain)} ${coin}`
}

/** What to show of an order's payments (oldest first): the open cases, then what was paid, or else the newest link. */
export function arrangePayments(payments: CryptoPayment[]): Record<"shown" | "earlier", CryptoPayment[]> {
  const newestFirst = payments.slice().reverse()
  const cases = newestFirst.filter(needsAttention)
  const paid = newestFirst.filter((payment) => payment.paid_at !== null && !needsAttention(payment))
  const waiting = newestFirst.filter(({ state }) => state === "open" || state === "creating").slice(0, 1)
  const link = waiting.length > 0 || cases.length > 0 ? waiting : newestFirst.slice(0, 1)
  const shown = [...new Set([...cases, ...(paid.length > 0 ? paid : link)])]
  return { shown, earlier: newestFirst.filter((payment) => !shown.includes(payment)) }
}
