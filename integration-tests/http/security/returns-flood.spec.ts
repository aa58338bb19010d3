import { PAID_OK, readEndState } from "../../support/end-state"
import { createAtGateway, supersededRow } from "../../support/gateway-requests"
import { neverGiveUpCalls } from "../../support/held-timers"
import { inParallel } from "../../support/in-parallel"
import { endOf } from "../../support/paid-checkout"
import { nothingIsDue } from "../../support/settle-due"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"

const SESSIONS = 20
const AT_ONCE = 5

const suite = (store: StoreUnderTest): void => {
  neverGiveUpCalls()

  const readIds = async (): Promise<(string | undefined)[]> =>
    (await store.gateway.calls("GET")).map(({ path }) => path.split("/").at(-1))

  const poll = async (sessionId: string): Promise<number> => {
    const headers = { "x-publishable-api-key": store.seeded.publishableKey }
    return (await store.http.get(`/store/crypto-payments/${sessionId}`, { headers })).status
  }

  /** Sessions whose links the gateway has, and which are not due for a day. */
  const insertSessions = async (): Promise<string[]> => {
    const created = await inParallel(SESSIONS, 10, async () => await createAtGateway(null))
    const sessions = created.map((_request, n) => `payses_returned${String(n)}`)
    await store.knex("crypto_payment_request").insert(
      created.map((request, n) => ({
        ...supersededRow(request),
        session_id: sessions[n],
        session_ids: [sessions[n]],
        next_check_at: new Date(Date.now() + 86_400_000),
      }))
    )
    return sessions
  }

  it("read the gateway five at a time, and a payment is next", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const sessions = await insertSessions()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.clearCalls()
    await store.gateway.hold("read")
    expect(await Promise.all(sessions.map(poll))).toEqual(sessions.map(() => 200))
    await store.gateway.untilHeld(AT_ONCE)

    // Notified after the returns.
    await store.gateway.notify(session.data.payment_request_id)
    await store.gateway.release(1)
    await store.gateway.untilHeld(AT_ONCE)
    expect((await readIds()).slice(AT_ONCE)).toEqual([session.data.payment_request_id])

    await store.gateway.release()
    await endOf(store, cartId)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    await nothingIsDue(store)
    const forReturns = (await readIds()).filter((id) => id !== session.data.payment_request_id)
    expect(forReturns).toHaveLength(SESSIONS)
  })
}

describeStore("many payers who return at once", suite)
