import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { insertDueRows } from "../support/gateway-requests"
import { fillHistory, fillOpenLinks, fillOrders } from "../support/history"
import { explainAll, nodesOf, readWhole, rowsTouched, type PlanNode } from "../support/query-plan"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const HISTORY = 1_000_000
/** Settled payments that have all that core keeps of a placed order. */
const WITH_ORDER = 20_000
/** What each statement has to find. */
const FOUND = 3
/** The sweep of settled payments looks at so many, twice a minute. */
const PAGE = 1000
const OPEN_LINKS = 5000
const NEWEST_LINKS = 1000

type Send = (ledger: CryptoPaymentsModuleService) => Promise<unknown>

interface ExpectedPlan {
  name: string
  /** Makes what the statement finds: it finds it twice, once when it is sent and once when it is explained. */
  prepare?: () => Promise<unknown>
  send: Send
  /** Where more than one may serve, none is named. */
  index?: string
  /** Rows of payment requests it may touch. */
  most: number
}

describeStore("beside a million settled payments", (store) => {
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
      send: async ({ queue }) => await queue.listDue(50),
      index: "IDX_crypto_payment_request_next_check_at",
      most: dueIds.length,
    },
    {
      name: "the row of one settle",
      prepare: async () => await requests().update({ lease_until: null }).whereNotNull("lease_until"),
      send: async ({ queue }) => await queue.leaseDue(`cpreq_${String(dueIds[0])}`),
      index: "crypto_payment_request_pkey",
      most: 1,
    },
    {
      name: "a page of the gateway's list",
      send: async ({ lists }) => {
        const listed = Array.from({ length: 100 }, (_, n) => ({
          payment_request_id: `${n % 2 === 0 ? "old" : "unknown"}${String(n + 1)}`,
          note: `payses_old${String(n + 1)}`,
          is_paid: true,
        }))
        await lists.match({ providerId: "pp_crypto_default", account: origin, origin }, listed)
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
      send: async ({ sweeps }) => {
        expect(await sweeps.takeUnannouncedOrders(100)).toHaveLength(FOUND)
      },
      index: "IDX_crypto_payment_request_order_unannounced",
      // Found, looked up by its cart, and marked.
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
      send: async ({ sweeps }) => {
        expect((await sweeps.makeLostOrdersDue()).sort()).toEqual(three)
      },
      index: "IDX_crypto_payment_request_settled_on_order",
      most: PAGE + FOUND,
    },
    {
      name: "rows that nobody would look at again",
      prepare: async () => {
        await change({ next_check_at: null, settled_at: null })
      },
      send: async ({ sweeps }) => {
        expect((await sweeps.makeForgottenDue()).sort()).toEqual(three)
      },
      index: "IDX_crypto_payment_request_forgotten",
      most: FOUND * 2,
    },
    {
      name: "links of cancelled orders",
      send: async ({ sweeps }) => await sweeps.listLinksOfCanceledOrders(),
      index: "IDX_crypto_payment_request_state_created_at",
      most: NEWEST_LINKS,
    },
    {
      name: "links of orders that were paid another way",
      send: async ({ sweeps }) => await sweeps.listLinksOfPaidOrders(),
      index: "IDX_crypto_payment_request_state_created_at",
      most: NEWEST_LINKS,
    },
    {
      name: "the rows of a placed order",
      prepare: async () => {
        await change({ order_announced_at: null })
      },
      send: async ({ sweeps }) => {
        await sweeps.noteOrderAnnounced("order_ord1")
      },
      index: "IDX_crypto_payment_request_order_id",
      // By its order, its cart and its collection; then the row itself.
      most: 4,
    },
    {
      name: "the rows of a cancelled order",
      send: async ({ queue }) => await queue.makeChangedDue("order_ord1"),
      index: "IDX_crypto_payment_request_order_id",
      most: 4,
    },
  ]

  it("every statement of a tick reads by its index, and no more than it finds or a page", async () => {
    await fillOrders(store, WITH_ORDER)
    await fillOpenLinks(store, OPEN_LINKS)
    await fillHistory(store, HISTORY)
    // On the minute the store's own tick would take part.
    await waitUntil(
      async () => await Promise.resolve(new Date().getSeconds()),
      (second) => second > 1 && second < 30,
      70_000
    )
    const dueIds = await insertDueRows(store, 20)
    const { gateway_origin } = await requests()
      .where({ id: `cpreq_${String(dueIds[0])}` })
      .first()

    for (const { name, prepare, send, index, most } of plans(gateway_origin as string, dueIds)) {
      const found = await explainAll(store, send, prepare)
      expect([name, found.length]).toEqual([name, name.startsWith("settled") ? 2 : 1])
      for (const plan of found) {
        // Another index of the same column serves as well: its name begins so.
        const hasIndex = indexesOf(plan).some((found) => found?.startsWith(index ?? "") === true)
        expect([name, hasIndex]).toEqual([name, true])
        expect([name, readWhole(plan).filter(isLarge)]).toEqual([name, []])
        expect([name, Math.min(rowsTouched(plan, "crypto_payment_request"), most + 1)]).toEqual([
          name,
          Math.min(rowsTouched(plan, "crypto_payment_request"), most),
        ])
        expect([name, rowsTouched(plan, "order") <= Math.max(most, PAGE)]).toEqual([name, true])
      }
    }
  }, 600_000)
})

const indexesOf = (plan: PlanNode): (string | undefined)[] => nodesOf(plan).map((node) => node["Index Name"])

/** The sweeps' bookmarks are one row, and this store has no payment sessions. */
const isLarge = (table: string | undefined): boolean =>
  table !== "crypto_payment_sweep" && table !== "payment_session"
