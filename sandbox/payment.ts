import type { CreateInput } from "./validate-create"

/** A payment request as the sandbox keeps it. Decimal amounts are strings with 14 fractional digits. */
export interface Payment extends CreateInput {
  id: string
  link: string
  createdAt: string
  /** The real status. Any word, because the control API may set one that no client knows. */
  status: string
  selectedCoin: string | null
  paid: PaidFacts | null
  /** What has arrived of a payment that is not paid: a coin amount. */
  part: string | null
  declinedAt: string | null
  /** How many reads still say UNPAID although the request is PAID; `Infinity` until revealed. */
  hiddenReads: number
  /** Changes of the record in reads and lists, to any JSON value, and names of fields that are left out. */
  bent: { fields: Record<string, unknown>; without: readonly string[] } | null
}

export interface PaidFacts {
  at: string
  refId: string
  coin: string
  paymentAmount: string
  receivingAmount: string
  feeAmount: string
  feePaidBy: string
}

/** The interface's "Payment request" object with the given status; with `paid` null, as before the payment. */
export const toRecord = (payment: Payment, status: string, paid: PaidFacts | null) => ({
  payment_request_id: payment.id,
  payment_link: payment.link,
  currency_symbol: payment.currencySymbol,
  amount: payment.amount,
  note: payment.note,
  payer_email_address: payment.payerEmailAddress,
  payer_first_name: payment.payerFirstName,
  payer_last_name: payment.payerLastName,
  payment_currency: paid?.coin ?? null,
  payment_amount: paid?.paymentAmount ?? null,
  receiving_amount: paid?.receivingAmount ?? null,
  fee_paid_by: paid?.feePaidBy ?? null,
  payment_fee_amount: paid?.feeAmount ?? null,
  paid_amount: paid?.paymentAmount ?? payment.part,
  ref_id: paid?.refId ?? null,
  payment_status: status,
})

/** What the read endpoints show: PAID may appear later than it is real. */
export const toVisibleRecord = (payment: Payment) =>
  payment.status === "PAID" && payment.hiddenReads > 0
    ? toRecord(payment, "UNPAID", null)
    : toRecord(payment, payment.status, payment.paid)

/** What the read endpoints answer: the visible record, with a test's changes. */
export function toAnsweredRecord(payment: Payment): Record<string, unknown> {
  const { fields = {}, without = [] } = payment.bent ?? {}
  return Object.fromEntries(
    Object.entries({ ...toVisibleRecord(payment), ...fields }).filter(([name]) => !without.includes(name))
  )
}

/** For the control API: the real status, and what the reads would say. */
export const toControlRecord = (payment: Payment) => ({
  ...toRecord(payment, payment.status, payment.paid),
  reads_say: toAnsweredRecord(payment)["payment_status"] ?? null,
  hidden_reads: payment.hiddenReads === Infinity ? "until_revealed" : payment.hiddenReads,
  selected_coin: payment.selectedCoin,
  created_at: payment.createdAt,
  paid_at: payment.paid?.at ?? null,
  declined_at: payment.declinedAt,
  ipn_success_url: payment.ipnSuccessUrl,
  ipn_failed_url: payment.ipnFailedUrl,
})
