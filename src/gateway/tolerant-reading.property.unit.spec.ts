import fc from "fast-check"
import "../property-seed.spec"
import { ClientUnderTest } from "./client-under-test.spec"
import { json, readEnvelope, wirePaymentRequest } from "./fake-gateway.spec"
import type { PaymentRequest } from "./payment-request"

const DECIDING = ["payment_request_id", "currency_symbol", "amount", "payment_status"]
const DISPLAY = Object.keys(wirePaymentRequest()).filter((name) => !DECIDING.includes(name))

const on = new ClientUnderTest()

function camel(name: string): keyof PaymentRequest {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) as keyof PaymentRequest
}

describe("whatever the display fields hold", () => {
  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 3 }),
    fc.string({ unit: "binary", maxLength: 1200 }),
    fc.double(),
    fc.constantFrom("\0", "\ud800", "\udc00😀", "1E-8", "1e999", "", "9".repeat(41), "PAID")
  )
  const record = fc.record(Object.fromEntries(DISPLAY.map((name) => [name, junk])), { requiredKeys: [] })

  it("the four deciding fields are the same, texts are storable and amounts are decimals", async () => {
    await fc.assert(
      fc.asyncProperty(
        record,
        fc.dictionary(
          fc.string().map((name) => `x_${name}`),
          junk,
          { maxKeys: 3 }
        ),
        async (changes, more) => {
          on.gateway.script = [json(readEnvelope([wirePaymentRequest({ ...more, ...changes })]))]
          const listed = await on.client.listPaymentRequests()
          expect(listed.unreadable).toEqual([])
          const [paymentRequest] = listed.paymentRequests as [PaymentRequest]
          expect(paymentRequest).toMatchObject({
            paymentRequestId: "pr_0001",
            amount: "129.90000000000000",
            currencySymbol: "AED",
            paymentStatus: "PAID",
          })
          expect(JSON.stringify(paymentRequest)).not.toMatch(/\\u0000|\\ud[89a-f]/)
          for (const name of DISPLAY) {
            const value = paymentRequest[camel(name)]
            expect([...(value ?? "")].length).toBeLessThanOrEqual(name === "payment_link" ? 4096 : 500)
          }
          for (const name of ["paymentAmount", "receivingAmount", "paymentFeeAmount"] as const) {
            expect(paymentRequest[name] ?? "0").toMatch(/^-?\d{1,40}(\.\d{1,40})?$/)
          }
        }
      ),
      { numRuns: 300 }
    )
  })
})
