import { MATCH_LISTED } from "../../../.medusa/server/src/modules/crypto-payments/reconciliation/match-listed"
import {
  CASES_OF_SUM,
  FORGOTTEN,
  OPEN_LINKS,
  SETTLED_ON_ORDER,
} from "../../../.medusa/server/src/modules/crypto-payments/checks/windows"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { insertDueRows } from "../../support/gateway-requests"
import {
  placeOrdersOfOpenLinks,
  fillHistory,
  fillOpenLinks,
  fillOrders,
  fillRefunds,
} from "../../support/history"
import { explainAll, nodesOf, readWhole, rowsTouched, type PlanNode } from "../../support/query-plan"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"
import { sweptIds } from "../../support/swept"

const HISTORY = 1_000_000
/** Settled payments that have all that core keeps of a placed order. */
const WITH_ORDER = 20_000
/** What each statement has to find. */
const FOUND = 3
/** The sweep of settled payments looks at the newest. */
const NEWEST = 5000
const MANY_LINKS = 5000
/** The newest open links. A sort reads a row more. */
const LINKS = 3010
/** What is asked of a settled payment looks at its order so often. */
const ORDERS_OF_ROW = 3

/** One of the open links: it is paid. */
const WAITING = "cpreq_open900"

type Send = (ledger: CryptoPaymentsModuleService) => Promise<unknown>

interface ExpectedPlan {
  name: string
  /** Makes what the statement finds: it finds it twice, once when it is sent and once when it is explained. */
  prepare?: () => Promise<unknown>
  send: Send
  /** Where more than one may serve, none is named. */
  index?: string
  /** Rows of payment requests, or of the named table, it may touch. */
  most: number
  table?: string
  /** How many statements it is, if it is not one. */
  statements?: number
  /** How many of them read by that index, if not all: the others read what these have found, or count what they show. */
  byIndex?: number
}

const suite = (store: StoreUnderTest): void => {
  const requests = () => store.knex("crypto_payment_request")
  /** The three newest of those that have an order. */
  const three = Array.from({ length: FOUND }, (_, n) => `cpreq_ord${String(n + 1)}`)
  const change = async (changes: Record<string, unknown>): Promise<void> => {
    await requests().whereIn("id", three).update(changes)
  }
  const past = (interval: string) => store.knex.raw(`now() - interval '${interval}'`)

  const plans = (origin: string, dueIds: string[]): ExpectedPlan[] => [
    {
      name: "rows that are due",
      prepare: async () => await requests().update({ lease_until: null }).whereNotNull("lease_until"),
      send: async ({ queue }) => await queue.leaseDue({ asked: 5, scheduled: 5, routine: 25 }),
      index: "IDX_crypto_payment_request_next_check_at",
      // Each is found, and written when it is taken.
      most: 2 * dueIds.length,
    },
    {
      name: "a page of the gateway's list",
      send: async () => {
        const listed = Array.from({ length: 100 }, (_, n) => ({
          payment_request_id: `${n % 2 === 0 ? "old" : "unknown"}${String(n + 1)}`,
          note: `payses_old${String(n + 1)}`,
          is_paid: true,
          receiving_amount: "19.81",
        }))
        const scope = { providerId: "pp_crypto_default", origin }
        await store.knex.raw(MATCH_LISTED, { ...scope, listed: JSON.stringify(listed) })
      },
      most: 300,
    },
    {
      name: "announcements that were not sent",
      prepare: async () => {
        await change({ announcements: "[]", announce_at: past("1 minute") })
      },
      send: async ({ announcements }) => await announcements.sendLeft(100),
      index: "IDX_crypto_payment_request_announce_at",
      most: FOUND,
    },
    {
      name: "orders nobody heard of",
      prepare: async () => {
        await change({ order_announced_at: null, order_placed_sent_at: null, settled_at: past("1 hour") })
      },
      send: async ({ announcements }) => {
        expect(await announcements.listUnannouncedOrders(100)).toHaveLength(FOUND)
      },
      index: "IDX_crypto_payment_request_order_unannounced",
      // Found, looked up by its cart, and looked for among its cart's other requests.
      most: FOUND * 3,
    },
    {
      name: "settled payments that have lost their order",
      prepare: async () => {
        await change({ next_check_at: null, settled_at: store.knex.fn.now() })
        await store
          .knex("order")
          .whereIn(
            "id",
            three.map((id) => id.replace("cpreq_", "order_"))
          )
          .update({ canceled_at: store.knex.fn.now() })
      },
      send: async () => {
        expect((await sweptIds(store, SETTLED_ON_ORDER)).sort()).toEqual(three)
      },
      index: "IDX_crypto_payment_request_settled_on_order",
      most: NEWEST + FOUND,
      statements: 2,
      byIndex: 1,
    },
    {
      name: "rows that nobody would look at again",
      prepare: async () => {
        await change({ next_check_at: null, settled_at: null })
      },
      send: async () => {
        expect((await sweptIds(store, FORGOTTEN)).sort()).toEqual(three)
      },
      index: "IDX_crypto_payment_request_unfinished",
      most: FOUND * 2,
      statements: 2,
      byIndex: 1,
    },
    {
      name: "links whose order is over or was placed long after them",
      prepare: async () => {
        await requests()
          .where("id", "like", "cpreq_open%")
          .update({ next_check_at: past("-1 day") })
      },
      send: async () => {
        expect((await sweptIds(store, OPEN_LINKS)).sort()).toEqual(
          Array.from({ length: FOUND }, (_, n) => `cpreq_open${String(n + 1)}`)
        )
      },
      index: "IDX_crypto_payment_request_state_created_at",
      most: LINKS + FOUND,
      statements: 2,
      byIndex: 1,
    },
    {
      name: "cases whose sum is not right any more",
      prepare: async () => {
        await change({
          next_check_at: null,
          attention_reason: "order_overpaid",
          attention_since: store.knex.fn.now(),
          attention_amount: "1.00",
        })
      },
      send: async () => {
        expect((await sweptIds(store, CASES_OF_SUM)).sort()).toEqual(three)
      },
      // Found, and made due.
      most: FOUND * 3,
      statements: 3,
      byIndex: 1,
    },
    {
      name: "refunds that were registered and not booked",
      prepare: async () => {
        await store
          .knex("crypto_payment_refund")
          .insert(
            three.map((id) => ({
              id: `${id}refund`,
              request_id: id,
              amount: "1.00",
              reference: id,
              reference_digest: id,
              state: "registered",
            }))
          )
          .onConflict("id")
          .ignore()
        await store
          .knex("crypto_payment_refund")
          .where({ state: "registered" })
          .update({ created_at: past("1 hour"), updated_at: past("2 hours") })
      },
      send: async ({ refunds }) => {
        expect(await refunds.takeInterrupted(100)).toHaveLength(FOUND)
      },
      index: "IDX_crypto_payment_refund_registered",
      table: "crypto_payment_refund",
      // Found, and marked.
      most: FOUND * 2,
    },
    {
      name: "a search by the session that a link was made for",
      send: async ({ shown }) => {
        const { crypto_payments } = await shown.list(
          { q: "payses_old777777", limit: 20, offset: 0, order: "-created_at", totals: false },
          { customers: true, users: true, orders: true }
        )
        expect(crypto_payments).toHaveLength(1)
      },
      index: "IDX_crypto_payment_request_session_ids",
      // Found, read, and read once more for the page.
      most: FOUND,
      statements: 2,
    },
    {
      name: "what a shopper's page asks for every few seconds",
      send: async ({ sessions }) => {
        expect(await sessions.read("payses_open901")).toMatchObject({ payment_request_id: "open901" })
      },
      index: "IDX_crypto_payment_request_session_ids",
      // Itself, once more among the links of its collection.
      most: 2,
    },
    {
      name: "the rows of a placed order",
      prepare: async () => {
        await change({ order_announced_at: null })
      },
      send: async ({ announcements }) => {
        await announcements.noteOrderAnnounced("order_ord1")
      },
      index: "IDX_crypto_payment_request_order_id",
      // By its order, its cart and its collection; then the row itself.
      most: 4,
    },
    {
      name: "the rows of a cancelled order",
      send: async ({ queue }) => await queue.makeOrderDue("order_ord1", "canceled"),
      index: "IDX_crypto_payment_request_order_id",
      most: 4,
    },
    {
      name: "what Medusa has for money that waits for an order",
      prepare: async () => {
        await requests()
          .where({ id: WAITING })
          .update({ state: "paid", paid_at: past("1 minute") })
      },
      send: async ({ facts }) => await facts.read(WAITING),
      index: "crypto_payment_request_pkey",
      // Itself, once more among its cart's links for each thing that is asked of these.
      most: 10,
    },
  ]

  it("every statement of a tick reads by its index, and no more than it finds or a page", async () => {
    await fillOrders(store, WITH_ORDER)
    await fillOpenLinks(store, MANY_LINKS)
    await fillHistory(store, HISTORY)
    await placeOrdersOfOpenLinks(store, FOUND)
    await fillRefunds(store)
    // Cases that were closed by an admin user keep their reason.
    await requests()
      .where("payment_request_id", "like", "old%77")
      .update({
        order_id: store.knex.raw("'order_' || payment_request_id"),
        state: "refunded",
        attention_reason: "order_overpaid",
        attention_since: past("1 day"),
        attention_amount: "1.00",
        attention_resolved_at: past("1 day"),
      })
    await store.knex.raw("VACUUM ANALYZE")
    const dueIds = await insertDueRows(store, 20)
    const { gateway_origin } = await requests()
      .where({ id: `cpreq_${String(dueIds[0])}` })
      .first()

    for (const plan of plans(gateway_origin as string, dueIds)) {
      const { name, prepare, send, index, most, statements = 1, byIndex = statements } = plan
      const table = plan.table ?? "crypto_payment_request"
      const found = await explainAll(store, send, prepare)
      expect([name, found.length]).toEqual([name, statements])
      for (const [place, plan] of found.entries()) {
        // Another index of the same column serves as well: its name begins so.
        const hasIndex = indexesOf(plan).some((found) => found?.startsWith(index ?? "") === true)
        expect([name, hasIndex || place >= byIndex]).toEqual([name, true])
        expect([name, readWhole(plan).filter(isLarge)]).toEqual([name, []])
        expect([name, Math.min(rowsTouched(plan, table), most + 1)]).toEqual([
          name,
          Math.min(rowsTouched(plan, table), most),
        ])
        expect([name, rowsTouched(plan, "order") <= Math.max(most, ORDERS_OF_ROW * NEWEST)]).toEqual([
          name,
          true,
        ])
      }
    }
  }, 1_800_000)
}

const indexesOf = (plan: PlanNode): (string | undefined)[] => nodesOf(plan).map((node) => node["Index Name"])

/** What the history fills. Everything else is small: this store has a few sessions, and orders without items. */
const isLarge = (table: string | undefined): boolean => LARGE.includes(table ?? "")
const LARGE = [
  "crypto_payment_request",
  "crypto_payment_refund",
  "order",
  "order_cart",
  "order_payment_collection",
  "order_summary",
  "order_transaction",
  "payment_collection",
  "payment",
  "capture",
]

describeStore("with a million settled payments", suite)
