import type { AxiosResponse } from "axios"
import type { CreateOrderChangeDTO, IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { runAudit, shortFindings } from "../../support/audit"
import { readEndState } from "../../support/end-state"
import { holdOrder, untilBlocked } from "../../support/held-row"
import { placePaidOrder } from "../../support/paid-checkout"
import { OrderChanges } from "../../support/order-changes"
import { Refunds } from "../../support/refunds"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { requestTransfer } from "../../support/transfer-request"

describeStore("registering a refund while the order has an open change", (store) => {
  const admin = new OrderChanges(store).post
  const register = async (id: string, amount: string, reference = "0xabc"): Promise<AxiosResponse> =>
    await admin(`/crypto-payments/${id}/refunds`, { amount, reference })
  const orders = (): IOrderModuleService => store.container.resolve(Modules.ORDER)

  it("is booked once when the order is fulfilled at the same moment", async () => {
    const on = new Refunds(store)
    const { cartId, id, orderId } = await placePaidOrder(store)
    const items = await on.items(orderId)
    const letGo = await holdOrder(store, orderId)
    const fulfilling = admin(`/orders/${orderId}/fulfillments`, { items })
    await untilBlocked(store, 1)
    const registering = register(id, "5.00")
    await Promise.race([registering, untilBlocked(store, 2)])
    await letGo()
    expect([(await fulfilling).status, (await registering).status]).toEqual([200, 200])

    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      collection: { captured: "20.01", refunded: "5.00" },
      refunds: ["5.00"],
      transactions: ["20.01", "-5.00"],
    })
    // Of two versions of an order that core writes at once, one summary is lost.
    store.leavesDamage("core wrote its summary of the order without the refund")
    expect(shortFindings(await runAudit(store))).toEqual([["order_sums_differ", id, orderId]])
  })

  it("is refused while a stranger asks for the order, records nothing, and is booked once the request is cancelled", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    await requestTransfer(store, orderId)
    const refused = await register(id, "20.01")
    expect([refused.status, refused.data.code]).toEqual([400, "order_in_transfer"])
    expect(await store.knex("crypto_payment_refund").select()).toEqual([])

    expect((await admin(`/orders/${orderId}/transfer/cancel`)).status).toBe(200)
    expect((await register(id, "20.01")).status).toBe(200)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      refunds: ["20.01"],
      transactions: ["20.01", "-20.01"],
      ledger: [{ state: "refunded" }],
    })
  })

  it.each([
    ["edit", "order_edited", "type edit"],
    ["return_request", "order_in_return", "type return_request"],
    ["return_receive", "order_in_return", "type return_receive"],
    ["exchange", "order_in_exchange", "type exchange"],
    ["claim", "order_in_claim", "type claim"],
    ["transfer", "order_in_transfer", "type transfer"],
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
