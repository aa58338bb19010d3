import { randomInt, randomUUID } from "node:crypto"
import { DEFAULT_COIN, findCoin, quote } from "./coins"
import { decimal, formatDecimal, multiply } from "./decimal"
import { deliver, recordDelivery } from "./delivery"
import { Refused } from "./http"
import { notificationBody, notificationData } from "./notification"
import type { Payment } from "./payment"
import type { Delivery, SandboxState } from "./state"
import type { CreateInput } from "./validate-create"

export function createPayment(state: SandboxState, input: CreateInput): Payment {
  // Random, not counted: a store's database outlives a sandbox and must never see the same id twice.
  const id = randomUUID()
  const payment: Payment = {
    ...input,
    id,
    link: `${state.url}/pay/${id}`,
    createdAt: new Date().toISOString(),
    status: "UNPAID",
    selectedCoin: null,
    paid: null,
    part: null,
    declinedAt: null,
    hiddenReads: 0,
    bent: null,
  }
  state.payments.set(id, payment)
  return payment
}

/** What the payer would send in that coin, and what the merchant would get, with the present settings. */
export function quotePayment(state: SandboxState, payment: Payment, coinSymbol: string) {
  const coin = findCoin(coinSymbol)
  if (!coin) {
    throw new Refused(400, `unknown coin ${coinSymbol}`)
  }
  const { feePaidBy, feePercent } = state.settings
  const amount = decimal(payment.amount)
  const fee = multiply(amount, decimal(feePercent)) / 100n
  const payerBears = feePaidBy === "BUYER"
  return {
    coin: coin.symbol,
    paymentAmount: formatDecimal(quote(payerBears ? amount + fee : amount, payment.currencySymbol, coin)),
    receivingAmount: formatDecimal(payerBears ? amount : amount > fee ? amount - fee : 0n),
    feeAmount: formatDecimal(fee),
    feePaidBy,
  }
}

export interface PayOptions {
  coin?: string | undefined
  hiddenReads?: number | undefined
  /** For mismatch tests: what the record says from now on. */
  amount?: string | undefined
  currencySymbol?: string | undefined
}

export function markPaid(state: SandboxState, payment: Payment, options: PayOptions = {}): void {
  if (payment.paid) {
    throw new Refused(409, "already paid; send its notification again with /notify")
  }
  const paying = {
    ...payment,
    amount: options.amount ?? payment.amount,
    currencySymbol: options.currencySymbol ?? payment.currencySymbol,
  }
  const coin = options.coin ?? payment.selectedCoin ?? DEFAULT_COIN
  const facts = quotePayment(state, paying, coin)
  Object.assign(payment, paying, {
    status: "PAID",
    selectedCoin: coin,
    hiddenReads: options.hiddenReads ?? 0,
    paid: { ...facts, at: new Date().toISOString(), refId: `REF${randomInt(1e11, 1e12)}` },
  })
  state.credit(payment.currencySymbol, decimal(facts.receivingAmount))
}

/** A third of the coins arrives: the request stays as unpaid as it was. */
export function markPartlyPaid(state: SandboxState, payment: Payment): void {
  if (payment.paid) {
    throw new Refused(409, "already paid")
  }
  const { paymentAmount } = quotePayment(state, payment, payment.selectedCoin ?? DEFAULT_COIN)
  payment.part = formatDecimal(decimal(paymentAmount) / 3n)
}

export function markDeclined(payment: Payment): void {
  if (payment.paid) {
    throw new Refused(409, "already paid")
  }
  payment.status = "UNPAID"
  payment.declinedAt = new Date().toISOString()
}

/**
 * Sends genuine notifications in order, the first after the delay in the settings.
 *
 * @returns when the last was delivered or given up
 */
export async function notify(
  state: SandboxState,
  payment: Payment,
  statuses: readonly string[],
  reason: string
): Promise<Delivery[]> {
  const deliveries = statuses.map((status) =>
    recordDelivery(state, {
      payment_request_id: payment.id,
      status,
      reason,
      body: notificationBody(notificationData(payment, status, state), state.secretKey, "none"),
    })
  )
  await state.sleep(state.settings.notificationDelayMs)
  for (const delivery of deliveries) {
    await deliver(state, delivery, state.settings.notificationAttempts)
  }
  return deliveries
}
