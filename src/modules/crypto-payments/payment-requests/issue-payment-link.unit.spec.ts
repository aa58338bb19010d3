import { GatewayMalformed, GatewayRejected, type PaymentRequest } from "../../../gateway"
import type { Registration } from "../settings/options-schema"
import type { ProviderSettings } from "../settings/effective-settings"
import { PaymentLinkIssuer } from "./issue-payment-link"

const SESSION = "payses_1"

const FACTS = {
  provider_id: "pp_crypto_default",
  payment_collection_id: "pay_col_1",
  cart_id: "cart_1",
  order_id: null,
  is_paid: false,
  is_canceled: false,
}

const BUYER = {
  email: "guest@example.test",
  shipping_address: { first_name: "Aisha", last_name: null, country_code: null as string | null },
}

jest.mock("../store-query", () => ({
  queryBuyers: async () => await Promise.resolve(new Map([["cart_1", BUYER]])),
}))

interface Answers {
  note?: string | null
  /** What each try to write the id down gives. */
  opened: (object | Error)[]
  /** With what the gateway refuses the first creation. */
  refusal?: Error
  /** What it says it asks for. */
  asks?: Partial<PaymentRequest>
}

/** Issues a link: the gateway's answer and the database's are given. */
function issueLink({ note = SESSION, opened, refusal, asks }: Answers) {
  const giveUpCreating = jest.fn(async () => await Promise.resolve())
  const createPaymentRequest = jest.fn(
    async (_: object) => await Promise.resolve(created as Partial<PaymentRequest>)
  )
  if (refusal !== undefined) {
    createPaymentRequest.mockRejectedValueOnce(refusal)
  }
  const created = { paymentRequestId: "request-1", currencySymbol: "USD", amount: "20.01", note, ...asks }
  const later = [...opened]
  const parts = {
    settings: {
      find: async () =>
        await Promise.resolve({
          isConfigured: true,
          origin: "https://gateway.example",
          success_url: "https://shop.example/{country_code}/{session_id}",
          failed_url: "https://shop.example/{session_id}?to={country_code}&failed",
          timeout_ms: 1000,
          reuse_open_links: false,
          registration: { core_completion: true } as Registration,
        } satisfies Partial<ProviderSettings>),
    },
    replacedCompletion: { mayComplete: async () => await Promise.resolve(true) },
    gateways: {
      clientFor: () => ({ createPaymentRequest }),
    },
    links: {
      adoptPaid: async () => await Promise.resolve(undefined),
      insertCreating: async () => await Promise.resolve({ id: "cpreq_1", session_id: SESSION }),
      open: async () => {
        const next = await Promise.resolve(later.shift())
        if (next instanceof Error) {
          throw next
        }
        return next
      },
      giveUpCreating,
    },
    statuses: {
      noteFailed: async () => await Promise.resolve(),
      noteWorked: async () => await Promise.resolve(),
    },
  }
  const knex = { raw: async () => await Promise.resolve({ rows: [FACTS] }) }
  const given = [knex, { warn: jest.fn() }, parts]
  const issuer = new PaymentLinkIssuer(
    ...(given as unknown as ConstructorParameters<typeof PaymentLinkIssuer>)
  )
  const issued = issuer.issue({ sessionId: SESSION, amount: "20.01", currencySymbol: "USD" })
  return { issued, giveUpCreating, createPaymentRequest }
}

describe("the addresses for the payer's return", () => {
  it.each([
    ["us", "https://shop.example/us/payses_1", "https://shop.example/payses_1?to=us&failed"],
    [null, "https://shop.example/payses_1", "https://shop.example/payses_1?to=&failed"],
  ])(
    "name the session and the country of the address, which is %s",
    async (country_code, successUrl, failedUrl) => {
      BUYER.shipping_address.country_code = country_code
      const { issued, createPaymentRequest } = issueLink({ opened: [{ id: "cpreq_1", state: "open" }] })
      await issued
      expect(createPaymentRequest).toHaveBeenCalledWith(expect.objectContaining({ successUrl, failedUrl }))
    }
  )
})

describe("the payer's names", () => {
  const row = { id: "cpreq_1", state: "open" }
  const NAMED = { payerFirstName: "Aisha", payerLastName: null }

  it.each([
    ["a false success flag", new GatewayRejected(200, "payer_first_name is too long")],
    ["422", new GatewayRejected(422, null)],
    ["a text with 400", new GatewayMalformed({ fields: ["http"], httpStatus: 400 })],
  ])("are left out at a second try after %s", async (_, refusal) => {
    const { issued, createPaymentRequest } = issueLink({ opened: [row], refusal })
    await expect(issued).resolves.toEqual(row)
    const [first, second, ...more] = createPaymentRequest.mock.calls.map(([sent]) => sent)
    expect(first).toEqual({ ...second, ...NAMED })
    expect(second).not.toHaveProperty("payerFirstName")
    expect(more).toEqual([])
  })

  it.each([
    ["a firewall's 403", 403, "refused the request"],
    ["an answer that cannot be used", 200, "gave an answer the shop cannot use"],
  ])("cause no second try after %s: a request may have been made", async (_, httpStatus, words) => {
    const refusal = new GatewayMalformed({ fields: ["http"], httpStatus })
    const { issued, createPaymentRequest } = issueLink({ opened: [row], refusal })
    await expect(issued).rejects.toThrow(words)
    expect(createPaymentRequest).toHaveBeenCalledTimes(1)
  })
})

describe("the amount that the gateway says it asks for", () => {
  const row = { id: "cpreq_1", state: "open" }

  it("is the requested one when both are the same to two decimals", async () => {
    const asks = { amount: "20.01000000000001" }
    await expect(issueLink({ opened: [row], asks }).issued).resolves.toEqual(row)
  })

  it.each([[{ amount: "20.02" }], [{ currencySymbol: "AED" }]])(
    "is not, and gives no link, when it is %j",
    async (asks) => {
      const { issued, giveUpCreating } = issueLink({ opened: [row], asks })
      await expect(issued).rejects.toThrow("gave an answer the shop cannot use")
      expect(giveUpCreating).toHaveBeenCalled()
    }
  )
})
