import { PAID_OK, readEndState } from "../../support/end-state"
import { insertDueRows } from "../../support/gateway-requests"
import { neverGiveUpCalls } from "../../support/held-timers"
import { inParallel } from "../../support/in-parallel"
import { endOf, ledgerRow } from "../../support/paid-checkout"
import { nothingIsDue, settleBeside } from "../../support/settle-due"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

const suite = (store: StoreUnderTest): void => {
  neverGiveUpCalls()

  it("are all answered; five settle, the others are due in the database, and each gets its order", async () => {
    // One at a time: core makes the guest's customer with the first cart, and two at once would both try to.
    const checkouts = await inParallel(8, 1, async () => await store.shopper().checkout())
    const ids = checkouts.map(({ session }) => session.data.payment_request_id)
    const [other, ...paid] = checkouts
    const [first, last] = [ids.slice(1, 6), ids.slice(6)]
    for (const id of ids.slice(1)) {
      await store.gateway.pay(id)
    }
    await store.gateway.hold("read")

    expect(await Promise.all(first.map(async (id) => await store.gateway.notify(id)))).toEqual(
      Array(5).fill([200])
    )
    await store.gateway.untilHeld(5)
    expect(await Promise.all(last.map(async (id) => await store.gateway.notify(id)))).toEqual([[200], [200]])

    // Begun after them, outside their turns: when it has reached the gateway, they would have, too.
    const settling = settleBeside(store, (await ledgerRow(store, other?.session.id ?? "")).id)
    const held = (await store.gateway.untilHeld(6)).map((path) => path.split("/").at(-1))
    expect(held.sort()).toEqual([other?.session.data.payment_request_id, ...first].sort())
    const waiting = await store
      .knex("crypto_payment_request")
      .whereIn("payment_request_id", last)
      .whereNull("lease_until")
      .whereRaw("next_check_at <= now()")
    expect(waiting).toHaveLength(2)

    await store.gateway.release()
    await settling
    for (const { cartId } of paid) {
      await endOf(store, cartId)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    }
  })

  it("are read at the gateway once, by the schedule or in their turn", async () => {
    const ids = await insertDueRows(store, 8)
    // Until they are notified: a worker that is woken takes whatever is due.
    await store
      .knex("crypto_payment_request")
      .update({ next_check_at: store.knex.raw("now() + interval '1 day'") })
    const [last, ...others] = ids
    await store.gateway.clearCalls()
    await store.gateway.hold("read")
    for (const id of others) {
      await store.gateway.notify(id)
    }
    await store.gateway.untilHeld(5)
    const run = store.runSchedule()

    // Behind the others: when it has been settled, so have they.
    await store.gateway.notify(last ?? "")
    await store.gateway.release()
    await run
    await nothingIsDue(store)
    const reads = (await store.gateway.calls("GET")).map(({ path }) => path.split("/").at(-1))
    expect(reads.sort()).toEqual(ids.sort())
  })
}

describeStore("more notifications than are settled at once", suite)
