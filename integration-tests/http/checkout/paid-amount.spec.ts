import { Modules } from "@medusajs/framework/utils"
import { readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { readSinceNotified, settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

describeStore("what a payment is worth", (store) => {
  it.each([
    ["less", { amount: "20.00" }],
    ["more", { amount: "200.10" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("captures nothing and asks for attention when %s was paid", async (_, changes) => {
    const { cartId, collectionId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id, changes)
    await store.gateway.notify(session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      payments: [],
      orders: 0,
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
    const completed = await store.shopper().complete(cartId)
    expect([completed.data.type, completed.data.error?.type]).toEqual(["cart", "payment_authorization_error"])
    const { status, data } = await store.shopper().openSession(collectionId)
    expect([status, data.message]).toEqual([400, expect.stringContaining("the shop is checking it")])
  })

  it.each([
    ["less", { amount: "1.00" }],
    ["another currency", { currencySymbol: "AED" }],
  ])("pays no later session of the cart when %s was paid on a former link", async (_, changes) => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await shopper.checkout()
    const { id } = await ledgerRow(store, session.id)
    const [item] = (await shopper.get(`/carts/${cartId}`)).data.cart.items as { id: string }[]
    const setQuantity = async (quantity: number): Promise<number> =>
      (await shopper.post(`/carts/${cartId}/line-items/${String(item?.id)}`, { quantity })).status
    expect(await setQuantity(2)).toBe(200)
    await store.gateway.pay(session.data.payment_request_id, changes)
    await store.gateway.notify(session.data.payment_request_id)
    expect((await endOf(store, cartId)).ledger).toMatchObject([{ attention: "amount_mismatch" }])

    expect(await setQuantity(1)).toBe(200)
    const { status } = await shopper.openSession(collectionId)
    expect(status).toBe(200)
    const fresh = await store.knex("crypto_payment_request").whereNot({ id }).first()
    expect(fresh).toMatchObject({ state: "open", amount: "20.01" })
    await payAndNotify(store, fresh.payment_request_id as string)
    expect(await endOf(store, cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
    const former = await store.knex("crypto_payment_request").where({ id }).first()
    expect(former).toMatchObject({
      state: "paid",
      session_id: session.id,
      attention_reason: "amount_mismatch",
    })
  })

  it("is not captured, and is a case, when its cart costs more than the link asked", async () => {
    const { cartId, session } = await store.shopper().checkout()
    // A merchant's own code that changes a cart past core's workflows leaves the session behind.
    const carts = store.container.resolve(Modules.CART)
    const [item] = await carts.listLineItems({ cart_id: cartId })
    await carts.updateLineItems(String(item?.id), { unit_price: 30 })
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toMatchObject({
      collection: { captured: "0.00" },
      captures: [],
      orders: 0,
      transactions: [],
      ledger: [{ state: "paid", settled: false, attention: "amount_mismatch" }],
    })
  })

  it("waits on a status word nobody knows", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.setStatus(session.data.payment_request_id, "CONFIRMING")
    await store.gateway.notify(session.data.payment_request_id)
    await readSinceNotified(store, session.data.payment_request_id)
    expect((await ledgerRow(store, session.id)).gateway_status).toBe("CONFIRMING")
    expect((await readEndState(store.knex, cartId)).payments).toEqual([])
  })

  describe("whose status word nobody knows", () => {
    /** As if so many minutes had passed since the last read. */
    async function readAs(status: string, { session }: PreparedCheckout, minutes: number): Promise<unknown> {
      await store.gateway.setStatus(session.data.payment_request_id, status)
      const earlier = (column: string) => store.knex.raw(`${column} - interval '${String(minutes)} minutes'`)
      await store.knex("crypto_payment_request").update({
        status_since: earlier("status_since"),
        denied_at: earlier("denied_at"),
        next_check_at: new Date(0),
      })
      await settleDue(store)
      return (await ledgerRow(store, session.id)).attention_reason
    }

    it("is a case after an hour, until a known word follows", async () => {
      const checkout = await store.shopper().checkout()
      expect(await readAs("COMPLETED", checkout, 0)).toBeNull()
      expect(await readAs("COMPLETED", checkout, 59)).toBeNull()
      // Another such word is no news.
      expect(await readAs("SETTLING", checkout, 1)).toBe("gateway_unclear")
      expect(await readEndState(store.knex, checkout.cartId)).toMatchObject({ captures: [], orders: 0 })
      expect(await readAs("UNPAID", checkout, 0)).toBeNull()
    })

    it.each([
      ["open", 3],
      ["superseded", 8],
      ["closed", 8],
      ["superseded", 100],
    ])(
      "is a case an hour after it is first seen, also of a link that is %s and %d days old",
      async (state, days) => {
        const shopper = store.shopper()
        const checkout = await shopper.checkout()
        if (state !== "open") {
          await shopper.post(`/carts/${checkout.cartId}/line-items`, {
            variant_id: store.seeded.variantId,
            quantity: 1,
          })
        }
        const created_at = new Date(Date.now() - days * 86_400_000)
        await store.knex("crypto_payment_request").update({ created_at })
        await store.knex("payment_session").update({ created_at })
        if (state === "closed") {
          await readAs("UNPAID", checkout, 0)
        }
        expect(await readAs("COMPLETED", checkout, 0)).toBeNull()
        const seen = await ledgerRow(store, checkout.session.id)
        expect(seen).toMatchObject({
          state,
          next_check_at: new Date(Number(seen.status_since) + 3_600_000),
        })
        expect(await readAs("COMPLETED", checkout, 60)).toBe("gateway_unclear")
        expect(await readEndState(store.knex, checkout.cartId)).toMatchObject({ captures: [], orders: 0 })
      }
    )

    it("stays a case while the gateway refuses to show it, or does not know it", async () => {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await shopper.post(`/carts/${checkout.cartId}/line-items`, {
        variant_id: store.seeded.variantId,
        quantity: 1,
      })
      await store.knex("crypto_payment_request").update({ created_at: new Date(Date.now() - 8 * 86_400_000) })
      await readAs("COMPLETED", checkout, 0)
      expect(await readAs("COMPLETED", checkout, 60)).toBe("gateway_unclear")
      for (const status of [401, 404]) {
        await store.gateway.fail({ endpoint: "read", kind: "status", status })
        expect(await readAs("COMPLETED", checkout, 60)).toBe("gateway_unclear")
        await store.gateway.recover()
      }
      expect(await ledgerRow(store, checkout.session.id)).toMatchObject({ state: "superseded" })
    })

    it("is one line of health, however many there are", async () => {
      for (const word of ["COMPLETED", "paid"]) {
        const checkout = await store.shopper().checkout()
        await readAs(word, checkout, 0)
        expect(await readAs(word, checkout, 60)).toBe("gateway_unclear")
      }
      const { data } = await store.asAdmin.get("/crypto-payments/health")
      expect(data.attention).toEqual({ open: 2, by_reason: { gateway_unclear: 2 } })
    })

    it("is a case again when another such word lasts after an admin user has closed the first", async () => {
      const checkout = await store.shopper().checkout()
      await readAs("CONFIRMING", checkout, 0)
      expect(await readAs("CONFIRMING", checkout, 60)).toBe("gateway_unclear")
      const { id } = await ledgerRow(store, checkout.session.id)
      await store.asAdmin.post(`/crypto-payments/${id}/resolve`, { note: "Nothing was paid." })
      expect(await readAs("CONFIRMING", checkout, 60)).toBeNull()
      expect(await readAs("COMPLETED", checkout, 60)).toBeNull()
      expect(await readAs("COMPLETED", checkout, 60)).toBe("gateway_unclear")
    })
  })
})
