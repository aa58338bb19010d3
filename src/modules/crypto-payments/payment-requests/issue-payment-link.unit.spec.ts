import type { PaymentRequest } from "../../../gateway"
import type { ProviderSettings } from "../settings/effective-settings"
import { PaymentLinkIssuer } from "./issue-payment-link"

const SESSION = "payses_1"
const TAKEN = Object.assign(new Error("duplicate key value"), { code: "23505" })

const FACTS = {
  provider_id: "pp_crypto_default",
  payment_collection_id: "pay_col_1",
  email: "guest@example.test",
  placed_order_id: null,
  is_paid: false,
  is_canceled: false,
}

/** Issues a link while the account has the new id already. @param opened what each try to write the id down gives */
function issueTakenId({ note, opened }: { note: string | null; opened: (object | Error)[] }) {
  const startAnother = jest.fn(async () => await Promise.resolve(true))
  const giveUpCreating = jest.fn(async () => await Promise.resolve())
  const created = { paymentRequestId: "request-1", currencySymbol: "USD", amount: "20.01", note }
  const later = [...opened]
  const deps = {
    knex: { raw: async () => await Promise.resolve({ rows: [FACTS] }) },
    settings: {
      find: async () =>
        await Promise.resolve({
          settings: {
            origin: "https://gateway.example",
            account: "pp_crypto_default",
            success_url: "https://shop.example/{session_id}",
            failed_url: "https://shop.example/{session_id}",
            timeout_ms: 1000,
            reuse_open_links: false,
          } satisfies Partial<ProviderSettings>,
        }),
      startAnotherAccount: startAnother,
    },
    gateways: {
      clientFor: () => ({
        createPaymentRequest: async () => await Promise.resolve(created as Partial<PaymentRequest>),
      }),
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
    checkoutFailures: {
      noteFailed: async () => await Promise.resolve(),
      noteWorked: async () => await Promise.resolve(),
    },
    logger: { warn: jest.fn() },
  }
  const issuer = new PaymentLinkIssuer(deps as unknown as ConstructorParameters<typeof PaymentLinkIssuer>[0])
  const issued = issuer.issue({ sessionId: SESSION, amount: "20.01", currencySymbol: "USD" })
  return { issued, startAnother, giveUpCreating }
}

describe("an id that another payment of the account has", () => {
  it("means another account when the answer is this creation's", async () => {
    const row = { id: "cpreq_1", state: "open" }
    const { issued, startAnother } = issueTakenId({ note: SESSION, opened: [TAKEN, row] })
    await expect(issued).resolves.toEqual(row)
    expect(startAnother).toHaveBeenCalledTimes(1)
  })

  it.each([["payses_2"], [null]])(
    "proves nothing when the answer has the note %p: no account is named and no link shown",
    async (note) => {
      const { issued, startAnother, giveUpCreating } = issueTakenId({ note, opened: [TAKEN] })
      await expect(issued).rejects.toMatchObject({
        message: expect.stringContaining("gave an answer the shop cannot use") as string,
      })
      expect(startAnother).not.toHaveBeenCalled()
      expect(giveUpCreating).toHaveBeenCalledWith("cpreq_1")
    }
  )

  it("is not what a lost database is", async () => {
    const { issued, startAnother } = issueTakenId({ note: SESSION, opened: [new Error("connection lost")] })
    await expect(issued).rejects.toThrow("connection lost")
    expect(startAnother).not.toHaveBeenCalled()
  })
})
