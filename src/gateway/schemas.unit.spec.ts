import { wirePaymentRequest } from "./fake-gateway.spec"
import {
  balanceSchema,
  envelopeSchema,
  paginationSchema,
  paymentRequestSchema,
  signedBodySchema,
} from "./index"
import { toPaymentRequest } from "./payment-request"

const pagination = { total_count: 0, page_count: 0, page_size: 20 }
const balance = { asset: "AED", value: "1", locked: "0" }

describe("schemas", () => {
  it.each([
    ["payment request", paymentRequestSchema, wirePaymentRequest()],
    ["balance", balanceSchema, balance],
    ["pagination", paginationSchema, pagination],
    ["envelope", envelopeSchema, { data: {}, message: "ok", successful: true }],
  ])("of a %s accepts fields that the interface does not list", (_what, schema, value) => {
    expect(schema.parse({ ...value, new_field: [1] })).toMatchObject(value)
  })

  it("of a payment request takes no field from a __proto__", () => {
    const { payment_status, ref_id, ...others } = wirePaymentRequest()
    const received = (fields: object): unknown => {
      const text = JSON.stringify({ ...others, ...fields })
      return JSON.parse(`${text.slice(0, -1)},"__proto__":{"payment_status":"PAID","ref_id":"REF-1"}}`)
    }
    expect(paymentRequestSchema.safeParse(received({ ref_id })).success).toBe(false)
    expect(toPaymentRequest(paymentRequestSchema.parse(received({ payment_status })))).toMatchObject({
      refId: null,
    })
  })

  it("of a signed body gives data as the very object received", () => {
    const data = {}
    expect(signedBodySchema.parse({ data, approval_hash: "x" }).data).toBe(data)
  })
})
