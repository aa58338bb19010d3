import type { ILockingModule } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { OrderChanges } from "../../support/order-changes"
import { ledgerRow, placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** Two paid links for the same 15.01 of an order that was raised from 20.01 to 35.02: the ledger's ids. */
interface TwoLinks {
  order: PaidOrder
  rowIds: [string, string]
}

/** Lets nobody go on until both are there, or until the other one does not come: a lock keeps it away, or it is over. */
function meetingPlace(isKeptAway: () => boolean): () => Promise<void> {
  let arrived = 0
  return async () => {
    arrived++
    await waitUntil(
      async () => await Promise.resolve(arrived >= 2 || isKeptAway()),
      (mayGoOn) => mayGoOn
    )
  }
}

describeStore("two paid links for one outstanding amount that are settled at the same moment", (store) => {
  const changes = (): OrderChanges => new OrderChanges(store)
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  afterEach(() => {
    jest.restoreAllMocks()
  })

  const pay = async (
    order: PaidOrder,
    links: { sessionId: string; paymentRequestId: string }[]
  ): Promise<TwoLinks> => {
    const ids: string[] = []
    for (const { sessionId, paymentRequestId } of links) {
      await store.gateway.pay(paymentRequestId)
      ids.push((await ledgerRow(store, sessionId)).id)
    }
    return { order, rowIds: ids as [string, string] }
  }

  const raisedOrder = async (): Promise<PaidOrder> => {
    const order = await placePaidOrder(store)
    await changes().raise(order.orderId)
    return order
  }

  /** The merchant has made two payment collections for what the order owes, and a link of each. */
  async function ofTwoCollections(): Promise<TwoLinks> {
    const order = await raisedOrder()
    const collections = [await changes().collection(order, 15.01), await changes().collection(order, 15.01)]
    const links = []
    for (const id of collections) {
      links.push(await changes().link(id))
    }
    return await pay(order, links)
  }

  /** The customer's e-mail was corrected, so that a second link of the same collection was made. */
  async function ofOneCollection(): Promise<TwoLinks> {
    const order = await raisedOrder()
    const collectionId = await changes().collection(order, 15.01)
    const first = await changes().link(collectionId)
    await store.knex("order").where({ id: order.orderId }).update({ email: "corrected@example.test" })
    return await pay(order, [first, await changes().link(collectionId)])
  }

  const settle = async (id: string): Promise<void> => {
    const { status } = await changes().post(`/crypto-payments/${id}/settle`)
    over += 1
    expect(status).toBe(200)
  }

  /** What the database holds of the 15.01, once whatever follows by itself is over. */
  async function endOfRest({ order, rowIds }: TwoLinks): Promise<Record<string, unknown>> {
    await store
      .knex("crypto_payment_request")
      .whereIn("id", rowIds)
      .update({ next_check_at: new Date(0) })
    await settleDue(store)
    const rows = await store
      .knex("crypto_payment_request")
      .whereIn("id", rowIds)
      .select("id", "state", "attention_reason", "settled_at")
    const { rows: captures } = await store.knex.raw<{ rows: { amount: string }[] }>(
      `SELECT round(cap.amount, 2)::text AS amount FROM crypto_payment_request r
         JOIN payment p ON p.payment_session_id = r.paid_session_id AND p.deleted_at IS NULL
         JOIN capture cap ON cap.payment_id = p.id AND cap.deleted_at IS NULL
        WHERE r.id IN (?, ?)`,
      rowIds
    )
    const booked = await store
      .knex("order_transaction")
      .where({ order_id: order.orderId, deleted_at: null })
      .orderBy("created_at")
    const { data } = await store.http.get("/admin/crypto-payments?attention=open", await store.admin())
    return {
      rows: rows
        .map(({ state, attention_reason }) => [state, attention_reason])
        .sort(([one], [other]) => String(one).localeCompare(String(other))),
      captures: captures.map(({ amount }) => amount),
      transactions: booked.map(({ amount }) => Number(amount).toFixed(2)),
      open: data.count,
    }
  }

  const locking = (): ILockingModule => store.container.resolve(Modules.LOCKING)
  /** How many wait for a lock that somebody else holds, and how many settles are over. */
  let [waiting, over] = [0, 0]
  const isKeptAway = (): boolean => waiting > 0 || over > 0
  beforeEach(() => {
    waiting = 0
    over = 0
    const execute = locking().execute.bind(locking())
    jest.spyOn(locking(), "execute").mockImplementation(async (keys, job, ...rest) => {
      waiting++
      let isWaiting = true
      const stopWaiting = (): void => {
        waiting -= isWaiting ? 1 : 0
        isWaiting = false
      }
      try {
        return await execute(
          keys,
          async () => {
            stopWaiting()
            return await job()
          },
          ...rest
        )
      } finally {
        stopWaiting()
      }
    })
  })

  /** Both settles reach this method before either goes on, unless one is kept away from it. */
  function meet(at: object, method: string, when: "before" | "after", mayBeAlone = isKeptAway): void {
    const meeting = meetingPlace(mayBeAlone)
    const methods = at as Record<string, (...args: unknown[]) => Promise<unknown>>
    const original = methods[method]?.bind(at)
    jest.spyOn(methods, method).mockImplementation(async (...args) => {
      if (when === "before") {
        await meeting()
      }
      const result = await original?.(...args)
      if (when === "after") {
        await meeting()
      }
      return result
    })
  }

  /** Just before the provider answers that it is paid. Earlier, it would still see that the other one is captured. */
  const meetDecided = (mayBeAlone?: () => boolean): void => {
    meet(ledger().requests, "claimSession", "before", mayBeAlone)
  }
  const meetCaptured = (mayBeAlone?: () => boolean): void => {
    meet(store.container.resolve(Modules.PAYMENT), "authorizePaymentSession", "after", mayBeAlone)
  }

  /** The settle that ends first writes its outcome only after the other one has written its own. */
  function writeFirstLast(): void {
    const { requests } = ledger()
    const original = requests.finish.bind(requests)
    let begun = 0
    let ended = 0
    jest.spyOn(requests, "finish").mockImplementation(async (...args) => {
      begun += 1
      if (begun === 1) {
        await waitUntil(
          async () => await Promise.resolve(ended > 0 || isKeptAway()),
          (mayGoOn) => mayGoOn
        )
      }
      const finished = await original(...args)
      ended += 1
      return finished
    })
  }

  const INTERLEAVINGS: [string, () => void][] = [
    ["with nothing in between", () => undefined],
    ["and both decide before either is captured", meetDecided],
    ["and both are captured before either is booked", meetCaptured],
    ["and the first writes its outcome after the second", writeFirstLast],
  ]

  describe.each([
    ["of two collections", ofTwoCollections],
    ["of one collection", ofOneCollection],
  ])("%s", (_, twoLinks) => {
    it.each(INTERLEAVINGS)("%s: one is captured, and the other is a case", async (__, interleave) => {
      const links = await twoLinks()
      // What the edit of the order began is over: nobody else waits for a lock.
      await store.untilQuiet()
      interleave()
      await Promise.all(links.rowIds.map(settle))
      expect(await endOfRest(links)).toEqual({
        rows: [
          ["captured", null],
          ["paid", "duplicate_payment"],
        ],
        captures: ["15.01"],
        transactions: ["20.01", "15.01"],
        open: 1,
      })
    })
  })

  it("are never both silent when the locking module has lost the lock between them", async () => {
    store.leavesDamage("core adds up an order's payments wrongly when two are booked at the same moment")
    const links = await ofTwoCollections()
    // What the edit of the order began would be a third settle.
    await store.untilQuiet()
    const execute = locking().execute.bind(locking())
    jest
      .spyOn(locking(), "execute")
      .mockImplementation(async (keys, job, ...rest) =>
        String(keys).startsWith("crypto:capture:") ? await job() : await execute(keys, job, ...rest)
      )
    // No lock keeps one away. Each takes others for a moment, which must not look like waiting.
    meetDecided(() => false)
    meetCaptured(() => false)
    await Promise.all(links.rowIds.map(settle))
    // Each is the duplicate of the other. Which one is sent back, is for the merchant to say.
    expect(await endOfRest(links)).toEqual({
      rows: [
        ["captured", "duplicate_payment"],
        ["captured", "duplicate_payment"],
      ],
      captures: ["15.01", "15.01"],
      transactions: ["20.01", "15.01", "15.01"],
      open: 2,
    })
  })
})
