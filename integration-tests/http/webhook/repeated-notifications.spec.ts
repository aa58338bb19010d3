import { notificationData, signedBody } from "../../support/notification"
import { ledgerRow } from "../../support/paid-checkout"
import { payWithoutOrder } from "../../support/refused-orders"
import { nothingIsDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

const TEN_SECONDS_MS = 10_000

describeStore("genuine notifications that are sent again and again", (store) => {
  const send = async (body: string): Promise<void> => {
    const headers = { "content-type": "application/json" }
    const { status } = await fetch(store.webhookUrl, { method: "POST", body, headers })
    expect(status).toBe(200)
  }
  const rows = () => store.knex("crypto_payment_request")
  const reads = async (): Promise<number> => (await store.gateway.calls("GET")).length
  const told = async (): Promise<number> =>
    (await store.knex("crypto_payment_activity").where({ type: "notified" })).length
  const bodiesOf = (id: string): string[] =>
    ["UNPAID", "PENDING", "EXPIRED"].map((status) => signedBody(notificationData(id, { status })))

  it("one after the other cost one read, and are due ten seconds after it, once", async () => {
    const { session } = await store.shopper().checkout()
    const bodies = bodiesOf(session.data.payment_request_id)
    await send(String(bodies[0]))
    await nothingIsDue(store)
    expect(await reads()).toBe(1)
    // The ten seconds do not end, however long this takes, and the schedule's next check is later than they do.
    await rows().update({
      last_checked_at: store.knex.raw("date_trunc('second', now()) + interval '1 hour'"),
      next_check_at: store.knex.raw("now() + interval '2 hours'"),
    })
    const before = await told()
    for (let time = 0; time < 10; time++) {
      for (const body of bodies) {
        await send(body)
        await nothingIsDue(store)
      }
    }
    expect(await reads()).toBe(1)
    const { last_checked_at, next_check_at } = await ledgerRow(store, session.id)
    expect(Number(next_check_at) - Number(last_checked_at)).toBe(TEN_SECONDS_MS)
    expect((await told()) - before).toBe(1)
  })

  it("cause a read again after ten seconds", async () => {
    const { session } = await store.shopper().checkout()
    const [body] = bodiesOf(session.data.payment_request_id)
    await send(String(body))
    await nothingIsDue(store)
    await rows().update({ last_checked_at: store.knex.raw("now() - interval '10 seconds'") })
    await send(String(body))
    await nothingIsDue(store)
    expect(await reads()).toBe(2)
  })

  it("while the gateway is read for the row are due ten seconds later", async () => {
    const { session } = await store.shopper().checkout()
    const bodies = bodiesOf(session.data.payment_request_id)
    await store.gateway.hold("read")
    await send(String(bodies[0]))
    await store.gateway.untilHeld(1)
    for (const body of bodies) {
      await send(body)
    }
    await store.gateway.release()
    await nothingIsDue(store)
    expect(await reads()).toBe(1)
    const { last_webhook_at, next_check_at } = await ledgerRow(store, session.id)
    expect(Number(next_check_at) - Number(last_webhook_at)).toBeLessThanOrEqual(TEN_SECONDS_MS)
  })

  it("are read at once when they are the first that report PAID", async () => {
    const { session } = await store.shopper().checkout()
    const id = session.data.payment_request_id
    await send(String(bodiesOf(id)[0]))
    await nothingIsDue(store)
    // Dated ahead, and without quick checks: only the notifications cause reads.
    const ahead = store.knex.raw("now() + interval '1 hour'")
    await rows().update({ last_checked_at: ahead })
    const paid = signedBody(notificationData(id, { status: "PAID" }))
    await send(paid)
    await nothingIsDue(store)
    expect(await reads()).toBe(2)
    await rows().update({ last_checked_at: ahead, notified_at: new Date(0), next_check_at: ahead })
    await send(paid)
    await nothingIsDue(store)
    expect(await reads()).toBe(2)
    expect((await ledgerRow(store, session.id)).notified_at).toEqual(new Date(0))
  })

  it("report PAID anew once the case of an earlier report was closed", async () => {
    const { session } = await store.shopper().checkout()
    const paid = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
    await send(paid)
    await nothingIsDue(store)
    await rows().update({
      notified_at: store.knex.raw("now() - interval '3 hours'"),
      attention_reason: "gateway_unclear",
      attention_since: store.knex.raw("now() - interval '2 hours'"),
      denied_at: store.knex.raw("now() - interval '1 hour'"),
    })
    await send(paid)
    const { notified_at, denied_at } = await ledgerRow(store, session.id)
    expect(Number(notified_at)).toBeGreaterThan(Number(denied_at))
    await nothingIsDue(store)
  })

  it("are no news of what is paid, however long it waits for an order", async () => {
    const { session } = await payWithoutOrder(store)
    const body = signedBody(notificationData(session.data.payment_request_id, { status: "PAID" }))
    const before = await told()
    const old = { last_checked_at: new Date(0), check_requested_at: new Date(0), notified_at: new Date(0) }
    for (let time = 0; time < 3; time++) {
      await rows().update(old)
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
})
