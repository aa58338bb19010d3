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
/** Postgres does not accept every year that JavaScript has. */
const isDate = (text: string): boolean =>
  /^(19|2\d)\d\d-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text))
const moment = z
  .string()
  .refine(isDate, { error: "dates must be ISO 8601, such as 2026-11-21T08:00:00Z" })
  .transform((text) => new Date(text))
const range = z.strictObject({ $gt: moment, $gte: moment, $lt: moment, $lte: moment }).partial().optional()

/** The list: page, order, search and filters. */
export const AdminListCryptoPayments = z.strictObject({
  limit: whole.min(1).max(200).default(20),
  offset: whole.max(1_000_000).default(0),
  order: z.enum([...SORTABLE, ...SORTABLE.map((column) => `-${column}` as const)]).default("-created_at"),
  /** Longer than any id, number or e-mail address. */
  q: z.string().max(1000).optional(),
  state: oneOrMany(z.enum(REQUEST_STATES)),
  status: oneOrMany(word),
  attention: z
    .string()
    .regex(/^[a-z_]{1,64}$/, { error: "attention must be open, resolved, none or a reason" })
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

/** `live=false` does not ask the gateway. */
export const AdminGetCryptoPayment = z.strictObject({
  live: z.enum(["true", "false"]).default("true"),
})

export const AdminResolveCryptoPayment = z.strictObject({
  note: sentence,
  attention_since: z.iso
    .datetime({ offset: true, error: "attention_since must be the case's own" })
    .nullish(),
})

/** Amount in major units with at most two decimals, and a reference that proves the refund. */
export const AdminRegisterCryptoRefund = z.strictObject({
  amount: z
    .union([z.string(), z.number().transform(String)])
    .refine((amount) => /^\d{1,20}(\.\d{1,2})?$/.test(amount) && Number(amount) > 0, {
      error: "amount must be above zero with at most two decimals, such as 20.01",
    }),
  reference: sentence,
  note: sentence.optional(),
})

/** Optional with one provider. For a link of an order, the default is the provider of its newest crypto payment. */
export const AdminOfCryptoProvider = z.strictObject({ provider_id: word.optional() })

export const AdminListGatewayRequests = AdminOfCryptoProvider.extend({
  page: whole.min(1).max(100_000).default(1),
})

export const AdminReconcileCryptoPayments = z.strictObject({ provider_id: word })

/** Without `run_id`, the last comparison. */
export const AdminGetReconciliation = AdminReconcileCryptoPayments.extend({ run_id: word.optional() })

/** Without names, all rules. */
export const AdminAuditCryptoPayments = z.strictObject({
  rules: z.array(z.enum(AUDIT_RULE_NAMES)).min(1).optional(),
})

const day = z.string().refine((text) => isDate(text) && z.iso.date().safeParse(text).success, {
  error: "from and to must be dates such as 2026-11-21, from 1900-01-01 to 2999-12-31",
})
const timeZone = z.string().refine(isTimeZone, { error: "time_zone must be a time zone such as Asia/Dubai" })

export const AdminGetCryptoSettlements = z.strictObject({
  period: z.enum(PERIODS).default("day"),
  currency: word.toLowerCase().optional(),
  provider_id: word.optional(),
  from: day.optional(),
  to: day.optional(),
  time_zone: timeZone.default("UTC"),
})

export const AdminExportCryptoPayments = AdminListCryptoPayments.omit({
  limit: true,
  offset: true,
  order: true,
  totals: true,
}).extend(AdminGetCryptoSettlements.pick({ from: true, to: true, time_zone: true }).shape)

/** Whether the runtime knows it. `SettlementReports` asks the database too. */
function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name })
    return /^[A-Za-z]/.test(name)
  } catch {
    // Intl throws a RangeError for an unknown zone.
    return false
  }
}
