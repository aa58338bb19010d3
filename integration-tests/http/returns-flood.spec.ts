import { PAID_OK, readEndState } from "../support/end-state"
import { createAtGateway, supersededRow } from "../support/gateway-requests"
import { inParallel } from "../support/in-parallel"
import { endOf } from "../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

jest.setTimeout(120_000)

const SETTLED_FOR_RETURNS = 2
const A_MINUTE = 60

interface Returns {
  reads: () => Promise<string[]>
  poll: (sessionId: string) => Promise<number>
  insertSessions: (count: number) => Promise<string[]>
}

const returnsTo = (store: StoreUnderTest): Returns => {
  const reads = async (): Promise<string[]> => (await store.gateway.calls("GET")).map(({ path }) => path)

  const poll = async (sessionId: string): Promise<number> => {
    const headers = { "x-publishable-api-key": store.seeded.publishableKey }
    return (await store.http.get(`/store/crypto-payments/${sessionId}`, { headers })).status
  }

  /** Sessions whose links the gateway has. @returns the ids of the sessions */
  const insertSessions = async (count: number): Promise<string[]> => {
    const created = await inParallel(count, 10, async () => await createAtGateway(null))
    const rows = created.map((request) => supersededRow(request))
    await store.knex("crypto_payment_request").insert(rows)
    return rows.map(({ session_id }) => String(session_id))
  }

  return { reads, poll, insertSessions }
}

const atOnce = (store: StoreUnderTest): void => {
  const { reads, poll, insertSessions } = returnsTo(store)

  it("read the gateway two at a time, and leave room for a payment", async () => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    const sessions = await insertSessions(30)
    await store.gateway.clearCalls()
    await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs: 3000 })
    expect(await Promise.all(sessions.map(poll))).toEqual(sessions.map(() => 200))
    await waitUntil(reads, ({ length }) => length === SETTLED_FOR_RETURNS)

    await store.gateway.notify(session.data.payment_request_id)
    const paths = await waitUntil(reads, (all) =>
      all.some((path) => path.endsWith(session.data.payment_request_id))
    )
    // The others wait: nothing has answered yet.
    expect(paths).toHaveLength(SETTLED_FOR_RETURNS + 1)
    await store.gateway.recover()
    await endOf(store, cartId)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    await waitUntil(reads, (all) => sessions.every((id) => all.some((path) => path.endsWith(id.slice(7)))))
  })
}

const aMinute = (store: StoreUnderTest): void => {
  const { reads, poll, insertSessions } = returnsTo(store)

  it("are answered and cause no more than sixty checks a minute", async () => {
    const sessions = await insertSessions(A_MINUTE + 20)
    await store.gateway.clearCalls()
    expect(await inParallel(sessions.length, 10, async (n) => await poll(sessions[n] ?? ""))).toEqual(
      sessions.map(() => 200)
    )
    await waitUntil(
      async () => await store.knex("crypto_payment_request").whereRaw("next_check_at <= now()"),
      ({ length }) => length === 0
    )
    const checked = (await reads()).length
    expect(checked).toBeGreaterThan(0)
    expect(checked).toBeLessThanOrEqual(A_MINUTE)
  })
}

// As servers of their own: the schedule, which takes what is due, runs elsewhere. What a minute has left is a process'.
describeStore("many payers who return at once", atOnce, { WORKER_MODE: "server" })
describeStore("more payers who return than are looked up in a minute", aMinute, { WORKER_MODE: "server" })
