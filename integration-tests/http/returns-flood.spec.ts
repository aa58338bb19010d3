import { PAID_OK, readEndState } from "../support/end-state"
import { createAtGateway, supersededRow } from "../support/gateway-requests"
import { inParallel } from "../support/in-parallel"
import { endOf } from "../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const SESSIONS = 80
const AT_ONCE = 2
const A_MINUTE = 60
const SETTLES = 5
const PRESSES = 15

const suite = (store: StoreUnderTest): void => {
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

  it("read the gateway two at a time and sixty times a minute, and leave room for a payment", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const sessions = await insertSessions()
    await store.gateway.pay(session.data.payment_request_id)
    await store.gateway.clearCalls()
    await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs: 3000 })
    expect(await Promise.all(sessions.map(poll))).toEqual(sessions.map(() => 200))
    await waitUntil(readIds, ({ length }) => length === AT_ONCE)

    await store.gateway.notify(session.data.payment_request_id)
    await waitUntil(readIds, (ids) => ids.includes(session.data.payment_request_id))
    // Nothing has been answered yet, so nobody's turn has ended.
    expect(await readIds()).toHaveLength(AT_ONCE + 1)

    await store.gateway.recover()
    await endOf(store, cartId)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    await waitUntil(
      async () => await store.knex("crypto_payment_request").whereRaw("next_check_at <= now()"),
      ({ length }) => length === 0
    )
    const forReturns = (await readIds()).filter((id) => id !== session.data.payment_request_id)
    expect(forReturns).toHaveLength(A_MINUTE)
  })

  it("leaves the room of five settles to what admins check as well, and each is answered with what was read", async () => {
    const sessions = (await insertSessions()).slice(0, PRESSES)
    const ids = await store.knex("crypto_payment_request").whereIn("session_id", sessions).pluck("id")
    await store.gateway.clearCalls()
    await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs: 3000 })
    const headers = await store.admin()
    const press = async (id: string): Promise<unknown> =>
      (await store.http.post(`/admin/crypto-payments/${id}/settle`, {}, headers)).data.check?.gateway
    const answers = Promise.all(ids.map(press))
    await waitUntil(readIds, ({ length }) => length >= SETTLES)
    await new Promise((resolve) => setTimeout(resolve, 1000))
    expect(await readIds()).toHaveLength(SETTLES)
    await store.gateway.recover()
    expect(await answers).toEqual(ids.map(() => "read"))
    expect(await readIds()).toHaveLength(PRESSES)
  })
}

// As a server of its own: the schedule, which takes what is due, runs elsewhere.
describeStore("many payers who return at once", suite, { WORKER_MODE: "server" })
