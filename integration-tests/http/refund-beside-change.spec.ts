import type { AxiosResponse } from "axios"
import type { CreateOrderChangeDTO, IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { acceptOrderTransferWorkflow } from "@medusajs/medusa/core-flows"
import { readEndState } from "../support/end-state"
import { holdOrder, untilBlocked } from "../support/held-row"
import { placePaidOrder, type PaidOrder } from "../support/paid-checkout"
import { OrderChanges } from "../support/order-changes"
import { Refunds } from "../support/refunds"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { requestTransfer } from "../support/transfer-request"

describeStore("registering a refund while the order has an open change", (store) => {
  const admin = new OrderChanges(store).post
  const register = async (id: string, amount: string, reference = "0xabc"): Promise<AxiosResponse> =>
    await admin(`/crypto-payments/${id}/refunds`, { amount, reference })
  const orders = (): IOrderModuleService => store.container.resolve(Modules.ORDER)
  const pending = async (orderId: string): Promise<number> =>
    Number((await orders().retrieveOrder(orderId, { relations: ["summary"] })).summary?.pending_difference)

  afterEach(() => {
    jest.restoreAllMocks()
  })

  it.each([
    ["more than the order owes its customer, with a credit line", undefined, [5]],
    ["what the order owes its customer, without one", 10.01, []],
  ])(
    "is in the books whole when the order is fulfilled at the same moment: %s",
    async (_, price, credits) => {
      const on = new Refunds(store)
      const { id, orderId } = await placePaidOrder(store)
      const items = await on.items(orderId)
      if (price !== undefined) {
        await on.reprice(
          orderId,
          items.map((item) => ({ ...item, unit_price: price }))
        )
      }
      const letGo = await holdOrder(store, orderId)
      const fulfilling = admin(`/orders/${orderId}/fulfillments`, { items })
      await untilBlocked(store, 1)
      const registering = register(id, "5.00")
      await Promise.race([registering, untilBlocked(store, 2)])
      await letGo()
      expect([(await fulfilling).status, (await registering).status]).toEqual([200, 200])

      await settleDue(store)
      expect(await on.orderBooks(orderId)).toMatchObject({ refunded: 5, credits })
      expect(await admin(`/crypto-payments/orders/${orderId}/payment-link`)).toMatchObject({
        status: 400,
        data: { code: "nothing_to_pay" },
      })
    }
  )

  describe("a stranger's transfer request", () => {
    const transfer = async (): Promise<Record<string, unknown>> =>
      (await store.knex("order_change").where({ change_type: "transfer" }).first()) as Record<string, unknown>

    async function requestedOrder(): Promise<PaidOrder> {
      const order = await placePaidOrder(store)
      await requestTransfer(store, order.orderId)
      return order
    }

    it("does not hinder it, in parts and in full, and stays open", async () => {
      const { cartId, id, orderId } = await requestedOrder()
      const before = await transfer()
      expect((await register(id, "5.00", "0xa")).status).toBe(200)
      expect((await register(id, "15.01", "0xb")).status).toBe(200)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        refunds: ["5.00", "15.01"],
        transactions: ["20.01", "-5.00", "-15.01"],
        ledger: [{ state: "refunded" }],
      })
      expect(await pending(orderId)).toBe(0)
      expect(await transfer()).toMatchObject({
        id: before["id"],
        status: "requested",
        declined_at: null,
        metadata: {},
      })
    })

    it("can be accepted after it, and the books stay as they are", async () => {
      const { cartId, id, orderId } = await requestedOrder()
      expect((await register(id, "5.00")).status).toBe(200)
      const before = [await pending(orderId), (await readEndState(store.knex, cartId)).transactions]
      const { details, reference_id } = await store
        .knex("order_change_action")
        .where({ action: "TRANSFER_CUSTOMER" })
        .first("details", "reference_id")
      await acceptOrderTransferWorkflow(store.container).run({
        input: { order_id: orderId, token: details.token as string },
      })
      expect((await store.knex("order").where({ id: orderId }).first("customer_id")).customer_id).toBe(
        reference_id
      )
      expect([await pending(orderId), (await readEndState(store.knex, cartId)).transactions]).toEqual(before)
      expect((await register(id, "15.01", "0xrest")).status).toBe(200)
      expect(await pending(orderId)).toBe(0)
    })

    it("is open again when booking the refund fails, and when the process died the next try opens it", async () => {
      const { cartId, id } = await requestedOrder()
      const payments = store.container.resolve(Modules.PAYMENT)
      jest.spyOn(payments, "refundPayment").mockRejectedValueOnce(new Error("the database is away"))
      expect((await register(id, "20.01")).status).toBeGreaterThanOrEqual(400)
      const { id: changeId, status } = await transfer()
      expect(status).toBe("requested")

      await store
        .knex("order_change")
        .where({ id: changeId as string })
        .update({ status: "declined", metadata: { crypto_payment_set_aside: "requested" } })
      expect((await register(id, "20.01")).status).toBe(200)
      expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01", "-20.01"])
      expect((await transfer())["status"]).toBe("requested")
    })
  })

  it.each([
    ["edit", "order_edited", "edit"],
    ["return_request", "order_in_return", "return"],
    ["return_receive", "order_in_return", "Returned items"],
    ["exchange", "order_in_exchange", "exchange"],
    ["claim", "order_in_claim", "claim"],
    ["credit_line", "order_in_booking", "in a minute"],
  ])("is refused during a change of type %s, which the answer names", async (type, code, words) => {
    const { id, orderId } = await placePaidOrder(store)
    // Core's type of the input leaves these types out.
    const input: object = { order_id: orderId, change_type: type }
    const change = await orders().createOrderChange(input as CreateOrderChangeDTO)
    const refused = await register(id, "20.01")
    expect([refused.status, refused.data.code]).toEqual([400, code])
    expect(refused.data.message).toContain(words)
    expect(await store.knex("crypto_payment_refund").select()).toEqual([])

    await orders().cancelOrderChange(change.id)
    expect((await register(id, "20.01")).status).toBe(200)
  })
})
