import { notificationData, signedBody } from "../support/notification"
import { ledgerRow } from "../support/paid-checkout"
import { payWithoutOrder } from "../support/refused-orders"
import { nothingIsDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"

describeStore("genuine notifications that are sent again and again", (store) => {
  const send = async (body: string): Promise<void> => {
    const headers = { "content-type": "application/json" }
    const { status } = await fetch(store.webhookUrl, { method: "POST", body, headers })
    expect(status).toBe(200)
  }

  it("in turn cost no read within a minute", async () => {
    const { session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    const bodies = ["UNPAID", "PENDING", "EXPIRED"].map((status) =>
      signedBody(notificationData(id, { status }))
    )
    for (const body of bodies) {
      await send(body)
      await nothingIsDue(store)
    }
    // The minute does not end, however long this takes.
    await store
      .knex("crypto_payment_request")
      .update({ last_checked_at: store.knex.raw("now() + interval '1 hour'") })
    await store.gateway.clearCalls()
    for (let time = 0; time < 10; time++) {
      for (const body of bodies) {
        await send(body)
        await nothingIsDue(store)
      }
    }
    expect(await store.gateway.calls("GET")).toEqual([])
    expect((await ledgerRow(store, session.id)).notification_digest?.split(" ")).toHaveLength(3)
  })

  it("are no news of what is paid, however long it waits for an order", async () => {
    const { session } = await payWithoutOrder(store)
    const body = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
    await send(body)
    await nothingIsDue(store)
    const told = async (): Promise<number> =>
      (await store.knex("crypto_payment_activity").where({ type: "notified" })).length
    const before = await told()
    const old = { last_checked_at: new Date(0), check_requested_at: new Date(0), notified_at: new Date(0) }
    for (let time = 0; time < 3; time++) {
      await store.knex("crypto_payment_request").update(old)
      await send(body)
    }
    expect(await ledgerRow(store, session.id)).toMatchObject({ check_requested_at: new Date(0) })
    expect(await told()).toBe(before)
  })

  it("do not take a PAID back when older news comes late", async () => {
    const { session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    await send(signedBody(notificationData(id, { status: "PAID" })))
    await nothingIsDue(store)
    const told = await ledgerRow(store, session.id)
    await send(signedBody(notificationData(id, { status: "PENDING" })))
    const later = await ledgerRow(store, session.id)
    expect(told.is_reported_paid).toBe(true)
    expect([later.is_reported_paid, later.notified_at]).toEqual([true, told.notified_at])
  })

  it("are remembered up to sixteen", async () => {
    const { session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    const digests = async (): Promise<string[]> =>
      ((await ledgerRow(store, session.id)).notification_digest ?? "").split(" ")
    for (let number = 0; number < 17; number++) {
      await send(signedBody(notificationData(id, { note: `number ${String(number)}` })))
    }
    const kept = await digests()
    expect(new Set(kept)).toHaveProperty("size", 16)

    // The newest is known, the oldest is not any more.
    await send(signedBody(notificationData(id, { note: "number 16" })))
    expect(await digests()).toEqual(kept)
    await send(signedBody(notificationData(id, { note: "number 0" })))
    expect((await digests()).slice(1)).toEqual(kept.slice(0, 15))
  })
})
