import { z } from "zod"

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
// Bounded, so that nobody downstream feeds a megabyte of digits to a big-number library.
const decimal = z.string().regex(/^-?\d{1,40}(\.\d{1,40})?$/)
const nullableDecimal = decimal.nullish().default(null)
const count = z.int().nonnegative()

/** What a payment request id may look like before it is put into a path: no dots, slashes or percent signs. */
export const PAYMENT_REQUEST_ID_PATTERN = /^[A-Za-z0-9_-]{1,128}$/

/** What a balance symbol may look like before it is put into a path. Dots are allowed inside (`USDC.e`). */
export const BALANCE_SYMBOL_PATTERN = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/

/** What the create request's amount may look like. @see gateway interface: "plain decimal string" */
export const CREATE_AMOUNT_PATTERN = /^\d{1,20}(\.\d{1,14})?$/

/** Wire form of a payment request. @see gateway interface, "Payment request" */
export const paymentRequestSchema = wireObject({
  payment_request_id: id,
  payment_link: z.string(),
  currency_symbol: z.string(),
  amount: decimal,
  note: nullableText,
  payer_email_address: z.string(),
  payer_first_name: nullableText,
  payer_last_name: nullableText,
  payment_currency: nullableText,
  payment_amount: nullableDecimal,
  receiving_amount: nullableDecimal,
  fee_paid_by: nullableText,
  payment_fee_amount: nullableDecimal,
  // Meaning and unit are not shown, so neither is its form: a settlement must not hang on it.
  paid_amount: nullableText,
  ref_id: nullableText,
  // Any word: a new one must be seen as unknown, not lose the record.
  payment_status: z.string(),
})

/** Wire form of a balance. @see gateway interface, "Balance" */
export const balanceSchema = wireObject({ asset: id, value: decimal, locked: decimal })

/** Wire form of the pagination object. @see gateway interface, "Pagination object" */
export const paginationSchema = wireObject({ total_count: count, page_count: count, page_size: count })

const flag = z.boolean().nullish().default(null)

/**
 * The envelope around every answer. Either flag name is accepted on every endpoint; at least one must be there.
 * `message` is not required, since nothing depends on it. `data` and `pagination` have their own schemas.
 *
 * @see gateway interface, "Response envelope"
 */
export const envelopeSchema = wireObject({
  data: z.unknown(),
  pagination: z.unknown(),
  message: z.unknown(),
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
