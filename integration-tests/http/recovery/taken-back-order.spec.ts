import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"
import { PAID_OK, readEndState } from "../../support/end-state"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

/** What a merchant's own code does with each new order; it may fail, and core then takes the order back. */
let withNewOrder: () => Promise<void> = async () => undefined
// Core has the hook and leaves it out of its types.
const hooks = completeCartWorkflow.hooks as unknown as {
  orderCreated: (handler: () => Promise<void>) => void
}
hooks.orderCreated(async () => {
  await withNewOrder()
})

describeStore("an order that is booked and then taken back by a merchant's hook", (store) => {
  it("is not taken as placed while the hook runs, and is placed once it works", async () => {
    const shopper = store.shopper()
    const { cartId, session } = await shopper.checkout()
    let fail: () => void = () => undefined
    const isReached = new Promise<void>((reach) => {
      withNewOrder = async () => {
        reach()
        await new Promise((_, reject) => {
          fail = () => {
            reject(new Error("the merchant's system is down"))
          }
        })
      }
    })
    await store.gateway.pay(session.data.payment_request_id)
    // By a script: a completion over HTTP holds the row's lease, and nothing would settle it meanwhile.
    const completing = completeCartWorkflow(store.container).run({
      input: { id: cartId },
      throwOnError: false,
    })
    await isReached
    const { id } = await ledgerRow(store, session.id)
    expect((await readEndState(store.knex, cartId)).transactions).toEqual(["20.01"])

    const locking = store.container.resolve(Modules.LOCKING)
    const isAskedFor = new Promise<void>((resolve) => {
      const execute = locking.execute.bind(locking)
      jest.spyOn(locking, "execute").mockImplementation(async (keys, ...rest) => {
        if (keys === cartId) {
          resolve()
        }
        return await execute(keys, ...rest)
      })
    })
    const settling = store.http.post(`/admin/crypto-payments/${id}/settle`, {}, await store.admin())
    // It waits for the lock of the cart. If nothing kept it from settling, it would end.
    await Promise.race([settling, isAskedFor])
    expect(await ledgerRow(store, session.id)).toMatchObject({ settled_at: null })
    withNewOrder = async () => undefined
    fail()
    jest.restoreAllMocks()
    await Promise.all([completing, settling])
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)

    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })
})
