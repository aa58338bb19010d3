import { wirePaymentRequest } from "./fake-gateway.spec"
import {
  balanceSchema,
  envelopeSchema,
  paginationSchema,
  paymentRequestSchema,
  signedBodySchema,
} from "./index"

const pagination = { total_count: 0, page_count: 0, page_size: 20 }
const balance = { asset: "AED", value: "1", locked: "0" }

describe("schemas", () => {
  it.each([
    ["payment request", paymentRequestSchema, wirePaymentRequest()],
    ["balance", balanceSchema, balance],
    ["pagination", paginationSchema, pagination],
    ["envelope", envelopeSchema, { data: {}, message: "ok", successful: true }],
  ])("of a %s keeps unknown fields, and a __proto__ lends the result nothing", (_what, schema, value) => {
    const text = JSON.stringify({ ...value, new_field: [1] })
    const received: unknown = JSON.parse(`${text.slice(0, -1)},"__proto__":{"lent":1}}`)
    const parsed = schema.parse(received)
    expect(parsed).toMatchObject({ ...value, new_field: [1] })
    expect("lent" in parsed).toBe(false)
  })

  it("of a signed body gives data as the very object received", () => {
    const data = {}
    expect(signedBodySchema.parse({ data, approval_hash: "x" }).data).toBe(data)
  })
})
