import fc from "fast-check"
import "../property-seed.spec"
import { balanceSchema } from "./client"
import { GatewayMalformed } from "./errors"
import { paymentRequestSchema, toCreateBody, toPaymentRequest } from "./payment-request"
import { parseWire } from "./wire"

const RUNS = { numRuns: 1000 }

// By the interface's tables: decimal strings, texts, and both also as null. `paid_amount` has no form there.
const digits = fc.stringMatching(/^\d{1,20}$/)
const decimal = fc
  .tuple(digits, fc.option(digits, { nil: undefined }))
  .map(([whole, part]) => (part === undefined ? whole : `${whole}.${part}`))
const text = fc.oneof(fc.string({ unit: "binary", maxLength: 20 }), fc.constantFrom("PAID", "عائشة", ""))
// Of a payment record; what happens to other texts is in tolerant-reading.unit.spec.ts.
const storableText = text.map((each) => each.replaceAll("\0", "0"))
const id = fc.string({ minLength: 1, maxLength: 20 })
const orNull = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<Value | null> => fc.option(value)
const unknownFields = fc.dictionary(
  fc.string({ maxLength: 8 }).map((name) => `x_${name}`),
  // A nested field of that name is left out on purpose.
  fc.jsonValue({ maxDepth: 2 }).filter((value) => !JSON.stringify(value).includes("__proto__")),
  { maxKeys: 3, noNullPrototype: true }
)

const paymentRequests = fc.record({
  payment_request_id: id,
  payment_link: storableText,
  currency_symbol: storableText,
  amount: decimal,
  note: orNull(storableText),
  payer_email_address: storableText,
  payer_first_name: orNull(storableText),
  payer_last_name: orNull(storableText),
  payment_currency: orNull(storableText),
  payment_amount: orNull(decimal),
  receiving_amount: orNull(decimal),
  fee_paid_by: orNull(storableText),
  payment_fee_amount: orNull(decimal),
  paid_amount: orNull(storableText),
  ref_id: orNull(storableText),
  payment_status: storableText,
})
const readPaymentRequest = (wire: unknown) => toPaymentRequest(parseWire(paymentRequestSchema, wire, "data"))

/** Our name of a wire field, by the rule of the style and not by the code under test. */
function camel(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

describe("a payment request, whatever the gateway puts into it", () => {
  const records: fc.Arbitrary<Record<string, string | null>> = paymentRequests
  const read = readPaymentRequest

  it("keeps each value under its name as it came, and no unknown field", () => {
    fc.assert(
      fc.property(records, unknownFields, (record, more) => {
        const { paymentStatus: _word, ...ours } = read({ ...record, ...more })
        const expected = Object.entries(record).map(([name, value]) => {
          const known = camel(name)
          return [known === "paymentStatus" ? "paymentStatusReceived" : known, value]
        })
        expect(ours).toEqual(Object.fromEntries(expected))
      }),
      RUNS
    )
  })

  it("is PAID only when the word is exactly that", () => {
    const near = fc
      .tuple(
        fc.constantFrom("", " ", "UN", "\u200b", "paid"),
        fc.constantFrom("PAID", "Paid", "PAID\0"),
        text
      )
      .map((parts) => parts.join(""))
    fc.assert(
      fc.property(records, fc.oneof(text, near, fc.constant("PAID")), (record, word) => {
        const { paymentStatus } = read({ ...record, payment_status: word })
        expect(paymentStatus === "PAID").toBe(word === "PAID")
      }),
      RUNS
    )
  })

  it("with any one field of any other kind is refused by its path, or is still whole; the error shows no value", () => {
    const hostile = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }),
      fc.constantFrom("s3cret", "1e3", "-", "0x10", "9".repeat(41), `1.${"0".repeat(41)}`, " 1", "1\n")
    )
    const cases = records.chain((record) =>
      fc.tuple(fc.constant(record), fc.constantFrom(...Object.keys(record)), hostile)
    )
    fc.assert(
      fc.property(cases, ([record, name, value]) => {
        try {
          const whole = read({ ...record, [name]: value }) as unknown as Record<string, unknown>
          for (const amount of Object.keys(whole).filter(
            (each) => /amount$/i.test(each) && each !== "paidAmount"
          )) {
            expect(whole[amount] ?? "0").toMatch(/^-?\d{1,40}(\.\d{1,40})?$/)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(GatewayMalformed)
          expect((error as GatewayMalformed).fields).toEqual([`data.${name}`])
          expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("s3cret")
        }
      }),
      RUNS
    )
  })
})

describe("a balance, whatever the gateway puts into it", () => {
  it("keeps its values as they came", () => {
    const balances = fc.record({ asset: id, value: decimal, locked: decimal })
    fc.assert(
      fc.property(balances, unknownFields, (balance, more) => {
        const wire = { ...balance, ...more }
        expect(parseWire(balanceSchema, wire, "data")).toEqual(balance)
      }),
      RUNS
    )
  })
})

describe("what is no record at all", () => {
  it("is refused as malformed, and nothing else is thrown", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        expect(() => readPaymentRequest(value)).toThrow(GatewayMalformed)
      }),
      RUNS
    )
  })
})

describe("a create body, whatever the payer is called", () => {
  it("is JSON that gives each value back under its wire name", () => {
    const inputs = fc.record(
      {
        currencySymbol: fc.constantFrom("AED" as const, "USD" as const),
        amount: decimal,
        successUrl: text,
        failedUrl: text,
        payerEmailAddress: text,
        payerFirstName: orNull(text),
        payerLastName: orNull(text),
        note: orNull(text),
      },
      { requiredKeys: ["currencySymbol", "amount", "successUrl", "failedUrl", "payerEmailAddress"] }
    )
    const wireNames: Record<string, string> = {
      currencySymbol: "symbol",
      amount: "amount",
      successUrl: "ipn_success_url",
      failedUrl: "ipn_failed_url",
      payerEmailAddress: "payer_email_address",
      payerFirstName: "payer_first_name",
      payerLastName: "payer_last_name",
      note: "note",
    }
    fc.assert(
      fc.property(inputs, (input) => {
        const expected = Object.entries(input).map(([name, value]) => [wireNames[name], value])
        expect(JSON.parse(toCreateBody(input))).toEqual(Object.fromEntries(expected))
      }),
      RUNS
    )
  })
})
