import { readEndState } from "../../support/end-state"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { OXABC } from "../../support/refunds"
import { payWithoutOrder } from "../../support/refused-orders"
import { describeStore } from "../../support/store-under-test"

describeStore("a registered refund that a dead process left", (store) => {
  const ago = (time: string) => store.knex.raw(`now() - interval '${time}'`)

  /** The registration is written, and nothing else. */
  async function leaveRegistration(requestId: string): Promise<void> {
    await store.knex("crypto_payment_refund").insert({
      id: "cpref_left",
      request_id: requestId,
      amount: "20.01",
      ...OXABC,
      state: "registered",
      created_at: ago("2 minutes"),
      updated_at: ago("2 minutes"),
    })
  }

  /** Core has written its refund, the provider has answered, and the process dies before the collection's sums. */
  async function dieBeforeSums(requestId: string): Promise<void> {
    await store.knex.raw(
      `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'not now'; END $$`
    )
    await store.knex.raw(
      "CREATE TRIGGER refuse BEFORE UPDATE ON payment_collection FOR EACH ROW EXECUTE FUNCTION refuse()"
    )
    try {
      await store.http.post(
        `/admin/crypto-payments/${requestId}/refunds`,
        { amount: "20.01", reference: "0xabc" },
        await store.admin()
      )
    } finally {
      await store.knex.raw("DROP FUNCTION refuse CASCADE")
    }
    const old = { created_at: ago("2 minutes"), updated_at: ago("2 minutes") }
    await store.knex("crypto_payment_refund").update(old)
    await store.knex("refund").update(old)
    expect(await store.knex("crypto_payment_refund").select("state")).toEqual([{ state: "registered" }])
  }

  const REFUNDED = {
    collection: { status: "completed", captured: "20.01", refunded: "20.01" },
    refunds: ["20.01"],
    ledger: [{ state: "refunded", settled: true, attention: null }],
  }

  it("is booked by the schedule when it died before core's refund", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await leaveRegistration(id)
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      ...REFUNDED,
      transactions: ["20.01", "-20.01"],
    })
  })

  it("is booked once by the schedule when it died before core asked the provider", async () => {
    const { cartId, id, paymentId } = await placePaidOrder(store)
    await leaveRegistration(id)
    await store.knex("refund").insert({
      id: "ref_unasked",
      payment_id: paymentId,
      amount: "20.01",
      raw_amount: JSON.stringify({ value: "20.01", precision: 20 }),
      created_at: ago("2 minutes"),
      updated_at: ago("2 minutes"),
    })
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      ...REFUNDED,
      transactions: ["20.01", "-20.01"],
    })
  })

  it("is booked with the collection's sums when it died before those", async () => {
    const { cartId, id } = await placePaidOrder(store)
    await dieBeforeSums(id)
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      ...REFUNDED,
      transactions: ["20.01", "-20.01"],
    })
  })

  it("lets a cart without an order be paid again, also when it died before the sums", async () => {
    const shopper = store.shopper()
    const { cartId, collectionId, session } = await payWithoutOrder(store, shopper)
    await dieBeforeSums((await ledgerRow(store, session.id)).id)
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject({ ...REFUNDED, orders: 0 })
    const { status, data } = await shopper.openSession(collectionId)
    expect([status, data.message]).toEqual([200, undefined])
  })

  it("is tried ever later while its order is edited, and booked afterwards", async () => {
    const { cartId, id, orderId } = await placePaidOrder(store)
    const admin = await store.admin()
    await leaveRegistration(id)
    await store.http.post("/admin/order-edits", { order_id: orderId }, admin)
    const refund = () => store.knex("crypto_payment_refund")
    const tried = async (waited: string): Promise<boolean> => {
      await refund().update({ created_at: ago("30 minutes"), updated_at: ago(waited) })
      const [before] = await refund().select("updated_at")
      await store.runSchedule()
      const [after] = await refund().select("updated_at", "state")
      expect(after.state).toBe("registered")
      return after.updated_at.getTime() !== before.updated_at.getTime()
    }
    // Last tried 20 minutes after it was registered, it rests for 20; last tried after 14, for 14.
    expect(await tried("10 minutes")).toBe(false)
    expect(await tried("16 minutes")).toBe(true)

    await store.http.delete(`/admin/order-edits/${orderId}`, admin)
    await refund().update({ updated_at: ago("16 minutes") })
    await store.runSchedule()
    expect(await readEndState(store.knex, cartId)).toMatchObject(REFUNDED)
  })

  it("adds no second credit line when all is booked already", async () => {
    const { id, orderId } = await placePaidOrder(store)
    const admin = await store.admin()
    const register = async (): Promise<unknown> =>
      await store.http.post(
        `/admin/crypto-payments/${id}/refunds`,
        { amount: "20.01", reference: "0xabc" },
        admin
      )
    await register()
    // The instance that booked it has a clock that is ten minutes behind.
    await store.knex("crypto_payment_refund").update({ state: "registered" })
    await store.knex("refund").update({ created_at: ago("10 minutes") })
    await store.knex("order_credit_line").update({ created_at: ago("10 minutes") })
    await register()
    const { data } = await store.http.get(
      `/admin/orders/${orderId}?fields=summary.*,credit_lines.amount`,
      admin
    )
    expect(data.order.credit_lines).toEqual([expect.objectContaining({ amount: 20.01 })])
    expect(data.order.summary.pending_difference).toBe(0)
  })
})
