import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { offerMarkAsPaid } from "./offer-mark-as-paid"

const ROW = { cart_id: "cart_1", payment_collection_id: "pay_col_1" } as CryptoPaymentRequestRow

describe("the collection of an order that was placed unpaid", () => {
  const updatePaymentCollections = jest.fn(async () => await Promise.resolve())
  const locked = jest.fn()

  async function offer(found: object, row = ROW): Promise<void> {
    const execute = async (key: string, work: () => Promise<unknown>): Promise<unknown> => {
      locked(key)
      return await work()
    }
    const retrievePaymentCollection = async (): Promise<object> => await Promise.resolve(found)
    const known: Record<string, unknown> = {
      [Modules.LOCKING]: { execute },
      [Modules.PAYMENT]: { retrievePaymentCollection, updatePaymentCollections },
    }
    await offerMarkAsPaid({ resolve: (name: string) => known[name] } as unknown as MedusaContainer, row)
  }

  beforeEach(() => jest.clearAllMocks())

  it("is not_paid again, under the lock of its cart", async () => {
    await offer({ status: "awaiting", payments: [] })
    expect(locked.mock.calls).toEqual([["cart_1"]])
    expect(updatePaymentCollections.mock.calls).toEqual([["pay_col_1", { status: "not_paid" }]])
  })

  it.each([
    ["has a payment", { status: "awaiting", payments: [{ id: "pay_1" }] }],
    ["was paid meanwhile", { status: "completed", payments: [] }],
  ])("stays as it is when it %s", async (_, found) => {
    await offer(found)
    expect(updatePaymentCollections).not.toHaveBeenCalled()
  })
})
