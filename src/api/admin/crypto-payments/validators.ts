import { z } from "@medusajs/framework/zod"
import { AUDIT_RULE_NAMES } from "../../../modules/crypto-payments/audit/rules"
import { PERIODS } from "../../../modules/crypto-payments/reports/settlement-report"
import { SORTABLE } from "../../../modules/crypto-payments/reports/search"
import { REQUEST_STATES } from "../../../modules/crypto-payments/models/crypto-payment-request"

const sentence = z.string().trim().min(1).max(1000)
const word = z.string().trim().min(1).max(128)
const whole = z.coerce.number().int().nonnegative()
const oneOrMany = <Item extends z.ZodType<string, string>>(item: Item) =>
  z
    .union([item, z.array(item).min(1).max(50)])
    .transform((value): string[] => [value].flat())
    .optional()
// Postgres takes neither every year that JavaScript has nor every time zone.
const moment = z.coerce.date().min(new Date("1900-01-01")).max(new Date("2999-12-31"))
const range = z
  .strictObject({
    $gt: moment.optional(),
    $gte: moment.optional(),
    $lt: moment.optional(),
    $lte: moment.optional(),
  })
  .optional()

/** The list: page, order, search and filters. */
export const AdminListCryptoPayments = z.strictObject({
  limit: whole.min(1).max(200).default(20),
  offset: whole.max(1_000_000).default(0),
  order: z.enum([...SORTABLE, ...SORTABLE.map((column) => `-${column}` as const)]).default("-created_at"),
  /** Longer than anything that is searched for, an e-mail address included: what is longer is no search. */
  q: z.string().max(1000).optional(),
  state: oneOrMany(z.enum(REQUEST_STATES)),
  status: oneOrMany(word),
  attention: z
    .string()
    .regex(/^[a-z_]{1,64}$/)
    .optional(),
  currency: oneOrMany(word.toLowerCase()),
  received_currency: oneOrMany(word.toLowerCase()),
  provider_id: oneOrMany(word),
  order_id: word.optional(),
  coin: oneOrMany(word),
  created_at: range,
  paid_at: range,
  refunded_at: range,
  totals: z.enum(["true", "false"]).default("false"),
})

/** One row; `live=false` leaves the gateway alone. */
export const AdminGetCryptoPayment = z.strictObject({
  live: z.enum(["true", "false"]).default("true"),
})

/** Closing a case: what was done about it, in words. */
export const AdminResolveCryptoPayment = z.strictObject({ note: sentence })

/** A refund made at the gateway: amount in major units with at most two decimals, and the proof of it. */
export const AdminRegisterCryptoRefund = z.strictObject({
  amount: z
    .union([z.string(), z.number().transform(String)])
    .refine((amount) => /^\d{1,20}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0, {
      error: "amount must be above zero with at most two decimals, such as 20.01",
    }),
  reference: sentence,
  note: sentence.optional(),
})

/**
 * Which provider; may be left out when there is one. For a link of an order, that of the order's newest crypto payment
 * is taken then.
 */
export const AdminOfCryptoProvider = z.strictObject({ provider_id: word.optional() })

/** A page of the gateway's own list. */
export const AdminListGatewayRequests = AdminOfCryptoProvider.extend({
  page: whole.min(1).max(100_000).default(1),
})

/** Which provider to compare with the gateway's list. */
export const AdminReconcileCryptoPayments = z.strictObject({ provider_id: word })

/** Whose comparison to show: the last one, or that of a run. */
export const AdminGetReconciliation = AdminReconcileCryptoPayments.extend({ run_id: word.optional() })

/** Which rules to look for; without it all. */
export const AdminAuditCryptoPayments = z.strictObject({
  rules: z.array(z.enum(AUDIT_RULE_NAMES)).min(1).optional(),
})

const day = z.iso.date("must be a date such as 2026-11-21").refine(isInReach, {
  error: "must be a date from 1900-01-01 to 2999-12-31",
})
const timeZone = z.string().refine(isTimeZone, { error: "time_zone must be a time zone such as Asia/Dubai" })

/** Sums per period. */
export const AdminGetCryptoSettlements = z.strictObject({
  period: z.enum(PERIODS).default("day"),
  currency: word.toLowerCase().optional(),
  provider_id: word.optional(),
  from: day.optional(),
  to: day.optional(),
  time_zone: timeZone.default("UTC"),
})

/** The list's filters, and the days of the settlements. */
export const AdminExportCryptoPayments = AdminListCryptoPayments.omit({
  limit: true,
  offset: true,
  order: true,
  totals: true,
}).extend(AdminGetCryptoSettlements.pick({ from: true, to: true, time_zone: true }).shape)

function isInReach(date: string): boolean {
  return date >= "1900-01-01" && date <= "2999-12-31"
}

/** Whether the runtime knows it. The database has to know it as well: `SettlementReports` asks. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    // A RangeError is how Intl says no.
    return false
  }
}
