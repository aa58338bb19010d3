import { setTimeout as delay } from "node:timers/promises"
import { inParallel } from "../integration-tests/support/in-parallel"
import { notificationData, signedBody } from "../integration-tests/support/notification"
import { setStock } from "../integration-tests/support/stock"
import { describeStore } from "../integration-tests/support/store-under-test"
import { waitUntil } from "../integration-tests/support/wait-until"
import { insertOpenRows, insertSettledRows } from "./support/ledger-rows"
import { postgresVersion } from "./support/postgres-version"
import { median, ratio, round } from "./support/quantiles"
import { writeReport } from "./support/report"
import { sendLoad, type Answers } from "./support/send-load"
import { statementsDuring } from "./support/statements"

const CONNECTIONS = 20
const ROUNDS = 3
const REQUESTS_PER_ROUND = 3000
const WARM_UP = 300
/** Unpaid requests a notification each makes due, and paid ones whose order has to be placed, in one flood. */
const OPEN_ROWS = 1000
const CHECKOUTS = 20
/** Core works off what its route took five seconds later. */
const CORE_DELAY_MS = 5000
/** Postgres writes down what a connection has done this late, when the connection is idle. */
const STATISTICS_DELAY_MS = 11_000
const SETTLE_TIMEOUT_MS = 120_000

interface BesideCore {
  ours: Answers[]
  core: Answers[]
}

interface Forged extends BesideCore {
  minutes: number
  rowWrites: number
}

interface Fresh {
  answers: Answers
  accepted: number
  notSettled: number
  orders: number
  /** From the first notification until each accepted one was settled. */
  seconds: number
}

jest.setTimeout(15 * 60_000)

describeStore("webhook intake under load", (store) => {
  const coreUrl = (): string => `${String(store.http.defaults.baseURL)}/hooks/payment/system_default`
  const genuine = (id: string): string => signedBody(notificationData(id, { status: "PAID" }))

  const send = async (url: string, bodies: string[], status: number, amount: number): Promise<Answers> =>
    await sendLoad({ url, bodies, amount, connections: CONNECTIONS }, status)

  /** Core's route, which for this provider verifies nothing and records nothing, with all that it puts off. */
  const sendToCore = async (bodies: string[], amount = REQUESTS_PER_ROUND): Promise<Answers> => {
    const answers = await send(coreUrl(), bodies, 200, amount)
    await delay(CORE_DELAY_MS + 1000)
    return answers
  }

  /** Both routes in turns, so that whatever else the machine does strikes both. */
  const besideCore = async (bodies: string[], status: number): Promise<BesideCore> => {
    await send(store.webhookUrl, bodies, status, WARM_UP)
    await sendToCore(bodies, WARM_UP)
    const answers: BesideCore = { ours: [], core: [] }
    for (let i = 0; i < ROUNDS; i++) {
      answers.ours.push(await send(store.webhookUrl, bodies, status, REQUESTS_PER_ROUND))
      answers.core.push(await sendToCore(bodies))
    }
    return answers
  }

  const rowWrites = async (): Promise<number> => {
    await delay(STATISTICS_DELAY_MS)
    const { rows } = await store.knex.raw<{ rows: [{ writes: number }] }>(
      `SELECT sum(n_tup_ins + n_tup_upd + n_tup_del)::int AS writes FROM pg_stat_user_tables
        WHERE relname LIKE 'crypto_payment_%'`
    )
    return rows[0].writes
  }

  /** With what forged ones make the database write. */
  const measureForged = async (): Promise<Forged> => {
    const bodies = ["one", "two", "three"].map((id) =>
      signedBody(notificationData(id, { status: "PAID" }), "somebody else's key")
    )
    const before = await rowWrites()
    const startedAt = Date.now()
    const answers = await besideCore(bodies, 401)
    const minutes = (Date.now() - startedAt) / 60_000
    return { ...answers, minutes: round(minutes), rowWrites: (await rowWrites()) - before }
  }

  /** Each makes a row due that is settled at once; twenty of them are paid, and have an order placed. */
  const measureFresh = async (): Promise<Fresh> => {
    const openIds = await insertOpenRows(store, OPEN_ROWS)
    // One at a time: core makes the guest's customer with the first cart, and two at once would both try to.
    const checkouts = await inParallel(CHECKOUTS, 1, async () => await store.shopper().checkout())
    const paidIds = checkouts.map(({ session }) => session.data.payment_request_id)
    await inParallel(CHECKOUTS, 2, async (i) => await store.gateway.pay(paidIds[i] ?? ""))
    // Spread evenly over the flood.
    const every = OPEN_ROWS / CHECKOUTS
    const ids = paidIds.flatMap((id, i) => [...openIds.slice(i * every, (i + 1) * every), id])
    const startedAt = performance.now()
    const answers = await send(store.webhookUrl, ids.map(genuine), 200, ids.length)
    const cartIds = checkouts.map(({ cartId }) => cartId)
    await waitUntil(countUnchecked, (unchecked) => unchecked === 0, SETTLE_TIMEOUT_MS)
    const checkedAfterMs = performance.now() - startedAt
    const orders = await waitUntil(
      async () => (await store.knex("order_cart").whereIn("cart_id", cartIds).select("id")).length,
      (placed) => placed === CHECKOUTS,
      SETTLE_TIMEOUT_MS
    )
    return {
      answers,
      accepted: ids.length,
      notSettled: await countUnchecked(),
      orders,
      seconds: round(checkedAfterMs / 1000),
    }
  }

  /** Rows a notification came for that nobody has looked at since. */
  const countUnchecked = async (): Promise<number> => {
    const { rows } = await store.knex.raw<{ rows: [{ unchecked: number }] }>(
      `SELECT count(*)::int AS unchecked FROM crypto_payment_request
        WHERE last_webhook_at IS NOT NULL AND settled_at IS NULL
          AND (lease_until IS NOT NULL OR check_requested_at IS NOT NULL OR last_checked_at < last_webhook_at
               OR last_checked_at IS NULL OR paid_at IS NOT NULL)`
    )
    return rows[0].unchecked
  }

  it(`${CONNECTIONS} connections at once`, async () => {
    await setStock(store, 100_000)
    const forged = await measureForged()
    const settled = (await insertSettledRows(store, 1000)).map(genuine)
    const replayed = await besideCore(settled, 200)
    const statements = await statementsDuring(store.knex, async () => {
      await send(store.webhookUrl, settled, 200, WARM_UP)
    })
    const fresh = await measureFresh()

    writeReport("webhook-intake", {
      postgres: await postgresVersion(store.knex),
      ...summarize({ forged, replayed, fresh, statementsEach: ratio(statements.length, WARM_UP) }),
    })
    expect(forged.rowWrites).toBeLessThanOrEqual(Math.ceil(forged.minutes) + 1)
    expect(fresh.orders).toBe(CHECKOUTS)
  })
})

interface Findings {
  forged: Forged
  replayed: BesideCore
  fresh: Fresh
  statementsEach: number
}

function summarize({ forged, replayed, fresh, statementsEach }: Findings) {
  const sent = ROUNDS * REQUESTS_PER_ROUND + WARM_UP
  return {
    table: [
      ["notifications", "per second", "p99 ms", "core per second", "core p99 ms", "ours over core"],
      toRow("forged, answered 401", forged.ours, forged.core),
      toRow("genuine, of settled payments", replayed.ours, replayed.core),
      toRow("genuine, each settled during the flood", [fresh.answers], replayed.core),
      [`rows written for ${sent} forged ones in ${forged.minutes} minutes`, forged.rowWrites],
      ["statements for one of a settled payment", statementsEach],
      ["accepted in the flood that is settled", fresh.accepted],
      ["of them not settled in the end", fresh.notSettled],
      [`orders placed for the ${CHECKOUTS} of them that were paid`, fresh.orders],
      ["seconds from the first until all were settled", fresh.seconds],
    ],
    figures: {
      connections: CONNECTIONS,
      rounds: ROUNDS,
      requestsPerRound: REQUESTS_PER_ROUND,
      forged: {
        ours: toSide(forged.ours),
        core: toSide(forged.core),
        sent,
        minutes: forged.minutes,
        rowWrites: forged.rowWrites,
      },
      ofSettledPayments: { ours: toSide(replayed.ours), core: toSide(replayed.core), statementsEach },
      settledBesideTheFlood: { ...fresh, answers: toSide([fresh.answers]), paid: CHECKOUTS },
    },
  }
}

function toSide(answers: Answers[]): { perSecond: number; p50: number; p99: number } {
  return {
    perSecond: Math.round(median(answers.map(({ perSecond }) => perSecond))),
    p50: median(answers.map(({ p50 }) => p50)),
    p99: median(answers.map(({ p99 }) => p99)),
  }
}

function toRow(what: string, ours: Answers[], core: Answers[]): (string | number)[] {
  const [here, there] = [toSide(ours), toSide(core)]
  return [what, here.perSecond, here.p99, there.perSecond, there.p99, ratio(here.perSecond, there.perSecond)]
}
