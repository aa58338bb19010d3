import { randomUUID } from "node:crypto"
import { PAID_OK, readEndState, UNPAID, type EndState } from "../support/end-state"
import { inParallel } from "../support/in-parallel"
import type { Instance } from "../support/cluster/instance"
import { startCluster, type StoreCluster } from "../support/cluster/store-cluster"
import { refuseOrders } from "../support/refused-orders"
import { readSession, type PreparedCheckout } from "../support/shopper"
import { untilNone, waitUntil } from "../support/wait-until"

const SETUP_MS = 5 * 60_000
const TEST_MS = 5 * 60_000
/** A tick of the job, should nothing else settle. */
const PATIENCE_MS = 150_000
const SESSION_KEYS = ["amount", "currency_code", "payment_link", "payment_request_id", "session_id"]

const someone = (): string => `${randomUUID()}@example.test`

// Scenarios 1, 2 and 7 are in cluster.spec.ts, with the cluster under load.
describe("what catches a naive provider, with two servers and two workers", () => {
  let cluster: StoreCluster
  let near: Instance
  let far: Instance
  beforeAll(async () => {
    cluster = await startCluster()
    ;[near, far] = cluster.servers as [Instance, Instance]
  }, SETUP_MS)
  afterAll(async () => {
    await cluster.stop()
  }, SETUP_MS)
  afterEach(async () => {
    await untilNone(async () => (await cluster.selfAudit()).findings)
  }, SETUP_MS)
  beforeEach(async () => {
    await cluster.gateway.reset()
  })

  it(
    "trusts nothing that the storefront sends as data, at either server (scenario 3)",
    async () => {
      const victim = await checkoutAt(near)
      await cluster.gateway.pay(victim.session.data.payment_request_id)
      const cartId = await cluster.shopper(near).cart({ email: someone() })
      const collectionId = await cluster.shopper(far).collection(cartId)
      const hostile = {
        session_id: victim.session.id,
        payment_request_id: victim.session.data.payment_request_id,
        payment_link: "https://evil.example",
        amount: 1,
        paid: true,
      }
      const answers = await Promise.all(
        [near, far].map((server) => cluster.shopper(server).openSession(collectionId, hostile))
      )
      const completions = await Promise.all(
        [near, far].map((server) => cluster.shopper(server).complete(cartId))
      )

      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(completions.map(({ data }) => data.type)).toEqual(["cart", "cart"])
      const sessions = await cluster.knex("payment_session").where({ payment_collection_id: collectionId })
      expect(sessions.map(({ data }: { data: object }) => Object.keys(data).sort())).toEqual([SESSION_KEYS])
      expect(sessions[0].data).toMatchObject({ session_id: sessions[0].id, amount: "20.01" })
      expect(answers.map(({ data }) => readSession(data).data.payment_request_id)).not.toContain(
        victim.session.data.payment_request_id
      )
      expect(await readEndState(cluster.knex, cartId)).toEqual(UNPAID)
    },
    TEST_MS
  )

  it(
    "captures nothing for an UNPAID body rewritten to PAID under the same digest, sent to both servers (scenario 4)",
    async () => {
      const { cartId, session } = await checkoutAt(near)
      const forge = async ({ webhookUrl }: Instance): Promise<number[]> =>
        await cluster.gateway.notify(session.data.payment_request_id, {
          tamper: "boundary",
          url: webhookUrl,
          times: 2,
          parallel: true,
        })
      // The digest matches both bodies, so each server has to accept it as genuine.
      expect((await Promise.all([forge(near), forge(far)])).flat()).toEqual([200, 200, 200, 200])
      // Nothing but the notifications has had the gateway read so far.
      await untilLedger(
        cartId,
        ({ lease_until, last_checked_at }) => lease_until === null && last_checked_at !== null
      )
      expect(await readEndState(cluster.knex, cartId)).toEqual(UNPAID)
      const completed = await cluster.shopper(far).complete(cartId)
      expect(completed.data.type).toBe("cart")
      expect(await readEndState(cluster.knex, cartId)).toEqual(UNPAID)
    },
    TEST_MS
  )

  it(
    "places no order for a late payment on the link of a cart that changed, and says whose it is (scenario 5)",
    async () => {
      const unrelated = await checkoutAt(far)
      const { cartId, session } = await checkoutAt(near)
      expect((await addOneMore(far, cartId)).status).toBe(200)
      await cluster.gateway.pay(session.data.payment_request_id)
      await Promise.all(
        [near, far].map(({ webhookUrl: url }) =>
          cluster.gateway.notify(session.data.payment_request_id, { url, times: 2, parallel: true })
        )
      )
      await untilLedger(
        cartId,
        ({ attention_reason, lease_until }) => attention_reason !== null && lease_until === null
      )

      expect(await readEndState(cluster.knex, cartId)).toMatchObject({
        payments: [],
        captures: [],
        orders: 0,
        transactions: [],
        ledger: [{ state: "paid", settled: false, attention: "orphan_paid" }],
      })
      expect(await readEndState(cluster.knex, unrelated.cartId)).toEqual(UNPAID)
    },
    TEST_MS
  )

  it(
    "lets a cart be changed at the other server while the gateway is down (scenario 5)",
    async () => {
      const { cartId } = await checkoutAt(near)
      await cluster.gateway.fail({ endpoint: "any", kind: "status", status: 503 })
      expect((await addOneMore(far, cartId)).status).toBe(200)
      const collection = await cluster
        .knex("payment_collection as pc")
        .join("cart_payment_collection as cpc", "pc.id", "cpc.payment_collection_id")
        .where({ "cpc.cart_id": cartId })
        .first("pc.amount")
      const { data } = await cluster.shopper(far).get(`/carts/${cartId}?fields=total`)
      expect([Number(collection.amount), data.cart.total]).toEqual([35.02, 35.02])
    },
    TEST_MS
  )

  it(
    "keeps a paid cart whose stock a killed process has locked on the attention list, and places it once the lock has ended",
    async () => {
      const { cartId, session } = await checkoutAt(near)
      await cluster.redis.leaveLocks(await cluster.knex("inventory_item").pluck<string[]>("id"))
      await cluster.gateway.pay(session.data.payment_request_id)
      await cluster.gateway.notify(session.data.payment_request_id, { url: far.webhookUrl })
      const { id } = await untilLedger(
        cartId,
        ({ attention_reason, lease_until }) =>
          attention_reason === "paid_without_order" && lease_until === null
      )
      await cluster.endLeases()
      await askAdmin(far, `/crypto-payments/${id}/settle`)
      await untilLedger(cartId, ({ settled_at }) => settled_at !== null)
      expect(await readEndState(cluster.knex, cartId)).toEqual(PAID_OK)
    },
    TEST_MS
  )

  it(
    "places the orders of paid carts with the same two products with one try each, though all are due at once",
    async () => {
      const checkouts = await inParallel(12, 4, async (index) => await checkoutOfTwo(cluster.server(index)))
      const cartIds = checkouts.map(({ cartId }) => cartId)
      const allowOrders = await refuseOrders(cluster)
      try {
        await inParallel(checkouts.length, 4, async (index) => {
          const id = checkouts[index]?.session.data.payment_request_id ?? ""
          await cluster.gateway.pay(id)
          await cluster.gateway.notify(id, { url: cluster.server(index).webhookUrl })
        })
        for (const cartId of cartIds) {
          await untilLedger(cartId, ({ attention_reason }) => attention_reason === "paid_without_order")
        }
        // None is due until all are.
        const waiting = cluster.knex("crypto_payment_request").whereNull("settled_at")
        await untilNone(async () => {
          const inAnHour = cluster.knex.raw("now() + interval '1 hour'")
          await waiting.clone().whereNull("lease_until").update({ next_check_at: inAnHour })
          return await waiting.clone().whereNotNull("lease_until").select("id")
        })
      } finally {
        await allowOrders()
      }
      const tries = async (): Promise<number[]> => await Promise.all(cartIds.map(countCompletions))
      const before = await tries()
      await cluster.letTwoMinutesPass()
      for (const cartId of cartIds) {
        await untilLedger(cartId, ({ settled_at }) => settled_at !== null, 3 * PATIENCE_MS)
        expect(await readEndState(cluster.knex, cartId)).toMatchObject({
          captures: ["35.02"],
          orders: 1,
          transactions: ["35.02"],
          ledger: [{ state: "captured", settled: true, attention: null }],
        })
      }
      expect((await tries()).map((count, index) => count - (before[index] ?? 0))).toEqual(
        cartIds.map(() => 1)
      )
    },
    3 * TEST_MS
  )

  describe("refunds and cancellation (scenario 6)", () => {
    it(
      "answers 400 to a refund and to a cancel of what is not sent back, at either server, and writes nothing",
      async () => {
        const { cartId, orderId } = await paidOrder()
        const payment = await cluster
          .knex("payment as p")
          .join("cart_payment_collection as cpc", "p.payment_collection_id", "cpc.payment_collection_id")
          .where({ "cpc.cart_id": cartId })
          .first("p.id")
        const statuses = await Promise.all(
          [near, far].flatMap((server) => [
            askAdmin(server, `/payments/${payment.id}/refund`, { amount: 20.01 }),
            askAdmin(server, `/orders/${orderId}/cancel`),
          ])
        )
        expect(statuses).toEqual([400, 400, 400, 400])
        expect(await readEndState(cluster.knex, cartId)).toEqual(PAID_OK)
        expect(await orderStatus(orderId)).toBe("pending")
      },
      TEST_MS
    )

    it(
      "books a refund registered at both servers at once one time, and then lets one cancel through",
      async () => {
        const { cartId, ledgerId, orderId } = await paidOrder()
        const register = async (server: Instance): Promise<number> =>
          await askAdmin(server, `/crypto-payments/${ledgerId}/refunds`, {
            amount: "20.01",
            reference: "0xabc",
          })
        const together = await Promise.all([register(near), register(far), register(near), register(far)])
        expect(together).toContain(200)
        expect([await register(near), await register(far)]).toEqual([200, 200])
        const canceled = await Promise.all([near, far].map((at) => askAdmin(at, `/orders/${orderId}/cancel`)))
        expect(canceled).toContain(200)

        expect(await readEndState(cluster.knex, cartId)).toEqual(SENT_BACK)
        expect(await orderStatus(orderId)).toBe("canceled")
      },
      TEST_MS
    )
  })

  async function checkoutAt(server: Instance): Promise<PreparedCheckout> {
    return await cluster.shopper(server).checkout({ email: someone() })
  }

  /** A cart of 35.02 with two products. */
  async function checkoutOfTwo(server: Instance): Promise<PreparedCheckout> {
    const shopper = cluster.shopper(server)
    const cartId = await shopper.cart({ email: someone() })
    const item = { variant_id: cluster.seeded.variantIds[1], quantity: 1 }
    expect((await shopper.post(`/carts/${cartId}/line-items`, item)).status).toBe(200)
    const collectionId = await shopper.collection(cartId)
    const { data } = await shopper.openSession(collectionId)
    return { cartId, collectionId, session: readSession(data) }
  }

  async function addOneMore(server: Instance, cartId: string) {
    const item = { variant_id: cluster.seeded.variantId, quantity: 1 }
    return await cluster.shopper(server).post(`/carts/${cartId}/line-items`, item)
  }

  /** Begun at one server, notified to the other. */
  async function paidOrder(): Promise<{ cartId: string; ledgerId: string; orderId: string }> {
    const { cartId, session } = await checkoutAt(near)
    await cluster.gateway.pay(session.data.payment_request_id)
    await cluster.gateway.notify(session.data.payment_request_id, { url: far.webhookUrl })
    const { id, order_id } = await untilLedger(cartId, ({ settled_at }) => settled_at !== null)
    return { cartId, ledgerId: id, orderId: order_id ?? "" }
  }

  async function askAdmin(server: Instance, path: string, body: unknown = {}): Promise<number> {
    return (await cluster.admin(server).post(path, body)).status
  }

  async function countCompletions(cartId: string): Promise<number> {
    const executions = await cluster
      .knex("workflow_execution")
      .where({ workflow_id: "complete-cart" })
      .whereRaw("context::text LIKE ?", `%${cartId}%`)
    return executions.length
  }

  async function orderStatus(orderId: string): Promise<string> {
    return (await cluster.knex("order").where({ id: orderId }).first("status")).status as string
  }

  async function untilLedger(
    cartId: string,
    isSo: (row: LedgerRow) => boolean,
    patienceMs = PATIENCE_MS
  ): Promise<LedgerRow> {
    return await waitUntil(
      async () =>
        (await cluster.knex("crypto_payment_request").where({ cart_id: cartId }).first()) as LedgerRow,
      isSo,
      patienceMs
    )
  }
})

interface LedgerRow {
  id: string
  order_id: string | null
  settled_at: Date | null
  lease_until: Date | null
  last_checked_at: Date | null
  attention_reason: string | null
}

/** End state of an order of 20.01 that was refunded in full and cancelled. */
const SENT_BACK: EndState = {
  ...PAID_OK,
  collection: { ...PAID_OK.collection, status: "canceled", refunded: "20.01" },
  refunds: ["20.01"],
  transactions: ["20.01", "-20.01"],
  ledger: [{ state: "refunded", settled: true, attention: null }],
}
