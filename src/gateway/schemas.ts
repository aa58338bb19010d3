import { z } from "zod"
import { isStorable } from "./display-fields"
import { PLAIN_DECIMAL_PATTERN, toPlainDecimal } from "./plain-decimal"

// The wire. Snake case lives here and in mapping.ts. Unknown fields are kept; a nullable field that is absent
// counts as null, since the interface says nothing about absence and a lost null must not hide a PAID.

// Zod copies unknown keys by assignment, so the JSON key "__proto__" would become the result's prototype and
// lend it fields. The gateway has no such field.
const withoutProto = (value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, "__proto__")
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== "__proto__"))
    : value

const wireObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.preprocess(withoutProto, z.looseObject(shape))

const id = z.string().min(1)
const nullableText = z.string().nullish().default(null)
const decimal = z.string().regex(PLAIN_DECIMAL_PATTERN)
// An exponent is exact arithmetic and no guess: 2E+1 is how some languages print 20. A JSON number is refused, since
// its digits may be lost already.
const exactDecimal = z.string().transform((text, context) => {
  const plain = toPlainDecimal(text)
  if (plain === undefined) {
    context.addIssue({ code: "custom", message: "no decimal" })
    return z.NEVER
  }
  return plain
})
const nullableDecimal = decimal.nullish().default(null)
const count = z.int().nonnegative()
const MAX_CURRENCY_CHARACTERS = 64

/**
 * What a payment request id may look like before it is percent-encoded into a path. The interface does not show its
 * form. No slashes and percent signs, which servers on the way may decode too early, and no `.` or `..`, which are
 * folders.
 */
export const PAYMENT_REQUEST_ID_PATTERN = /^(?!\.{1,2}$)[\w.~:@+=-]{1,128}$/

/** What a balance symbol may look like before it is put into a path. Dots are allowed inside (`USDC.e`). */
export const BALANCE_SYMBOL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** What the create request's amount may look like. @see gateway interface: "plain decimal string" */
export const CREATE_AMOUNT_PATTERN = /^\d{1,20}(\.\d{1,14})?$/

/**
 * Wire form of a payment request: the four fields that decide about money, and nothing else. The other fields are
 * display data, kept as they came; `toPaymentRequest` reads them one by one.
 *
 * @see gateway interface, "Payment request"
 */
export const paymentRequestSchema = wireObject({
  payment_request_id: id,
  currency_symbol: z.string().max(MAX_CURRENCY_CHARACTERS).refine(isStorable),
  amount: exactDecimal,
  // Any word: a new one must be seen as unknown, not lose the record.
  payment_status: z.string(),
})

/** Wire form of a balance. @see gateway interface, "Balance" */
export const balanceSchema = wireObject({ asset: id, value: decimal, locked: decimal })

const countOrUnknown = count.nullable().catch(null)

/**
 * Wire form of the pagination object. What cannot be understood is null, for it must not lose the page.
 *
 * @see gateway interface, "Pagination object"
 */
export const paginationSchema = wireObject({
  total_count: countOrUnknown,
  page_count: countOrUnknown,
  page_size: countOrUnknown,
}).catch({ total_count: null, page_count: null, page_size: null })

const flag = z.boolean().nullish().default(null)

/**
 * The envelope around every answer. Either flag name is accepted on every endpoint; at least one must be there.
 * `message` is not required, since nothing depends on it. `data` and `pagination` have their own schemas.
 *
 * @see gateway interface, "Response envelope"
 */
export const envelopeSchema = wireObject({
  // Optional, because newer versions of zod refuse an object without a key whose schema is only "unknown".
  data: z.unknown().optional(),
  pagination: z.unknown().optional(),
  message: z.unknown().optional(),
  successful: flag,
  is_successful: flag,
}).refine((envelope) => envelope.successful !== null || envelope.is_successful !== null, {
  path: ["successful"],
  error: "neither success flag",
})

/** Wire form of a notification's `data`. @see gateway interface, "Notification body" */
export const notificationSchema = wireObject({
  payment_request_id: id,
  payment_amount: decimal,
  payment_currency: z.string(),
  receiving_amount: nullableDecimal,
  paid_cryptocurrency: nullableText,
  fee_amount: nullableDecimal,
  fee_paid_by: nullableText,
  payer_email_address: z.string(),
  payer_first_name: nullableText,
  payer_last_name: nullableText,
  ref_id: nullableText,
  merchant_id: z.string(),
  merchant_name: z.string(),
  status: z.string(),
  paid_at: nullableText,
  note: nullableText,
})

/** Wire form of the signed body around a notification. @see gateway interface, "Notification body" */
export const signedBodySchema = z.object({
  // As received, unknown and hostile keys included: the hash is over exactly these.
  data: z.custom<Record<string, unknown>>(
    (value) => typeof value === "object" && value !== null && !Array.isArray(value)
  ),
  approval_hash: z.string(),
})
