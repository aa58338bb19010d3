import type { IEventBusModuleService, IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK, readEndState } from "../../support/end-state"
import { everythingHeard, hear } from "../../support/heard-events"
import { endOf, payAndNotify, placePaidOrder, type PaidOrder } from "../../support/paid-checkout"
import type { PreparedCheckout, SessionData } from "../../support/shopper"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const SETTLED = "crypto_payment.settled"
const ATTENTION = "crypto_payment.attention_required"
const PLACED = "order.placed"
const CAPTURED = "payment.captured"

describeStore("an event that has to be heard", (store) => {
  const bus = (): IEventBusModuleService => store.container.resolve(Modules.EVENT_BUS)
  const row = async (): Promise<CryptoPaymentRequestRow> =>
    (await store.knex("crypto_payment_request").first()) as CryptoPaymentRequestRow
  const update = async (changes: Record<string, string | null>): Promise<void> => {
    await store
      .knex("crypto_payment_request")
      .update(
        Object.fromEntries(
          Object.entries(changes).map(([column, sql]) => [column, sql === null ? null : store.knex.raw(sql)])
        )
      )
  }
  const heardSome = async (heard: unknown[], count: number): Promise<void> => {
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length >= count
    )
  }
  /** Events of that name which the schedule hands to the bus in one run. The run ends after it has handed them over. */
  async function sentByOneRun(name: string): Promise<unknown[]> {
    const emit = jest.spyOn(bus(), "emit")
    await store.runSchedule()
    const sent = emit.mock.calls.flatMap(([data]) => data as { name: string; data: unknown }[])
    emit.mockRestore()
    return sent.filter((event) => event.name === name).map(({ data }) => data)
  }
  /** The bus refuses what has this name, as when the process died before or Redis is away. */
  function refuse(name: string): () => void {
    const emit = bus().emit.bind(bus())
    const refused = jest.spyOn(bus(), "emit").mockImplementation(async (data, options) => {
      if ([data].flat().some((event) => event.name === name)) {
        throw new Error("the bus is away")
      }
      await emit(data, options)
    })
    return () => {
      refused.mockRestore()
    }
  }

  afterEach(() => {
    jest.restoreAllMocks()
  })

  describe("core's `payment.captured`", () => {
    const ways: [string, (checkout: PreparedCheckout) => Promise<unknown>][] = [
      [
        "the notification comes first",
        async ({ session }) => await payAndNotify(store, session.data.payment_request_id),
      ],
      [
        "the shop completes the paid cart before it",
        async ({ cartId, session }) => {
          await store.gateway.pay(session.data.payment_request_id)
          await store.shopper().complete(cartId)
          await store.gateway.notify(session.data.payment_request_id)
        },
      ],
    ]
    it.each(ways)("is sent once when %s", async (_, pay) => {
      const heard = hear(store, CAPTURED)
      const checkout = await store.shopper().checkout()
      await pay(checkout)
      expect(await endOf(store, checkout.cartId)).toEqual(PAID_OK)
      await store.untilQuiet()
      await update({ next_check_at: "now()" })
      await settleDue(store)
      await everythingHeard(store)
      const { id } = await store.knex("payment").first("id")
      expect(heard).toEqual([{ id }])
    })
  })

  describe("`crypto_payment.settled`", () => {
    /** Settled, and the process died between its commit and the event. */
    async function settledInSilence(): Promise<{ cartId: string; again: () => void }> {
      const again = refuse(SETTLED)
      const { cartId, session } = await store.shopper().checkout()
      await payAndNotify(store, session.data.payment_request_id)
      await endOf(store, cartId)
      await waitUntil(row, ({ lease_until }) => lease_until === null)
      return { cartId, again }
    }

    it("is kept with the row when its process died before it was sent, and sent by the schedule once", async () => {
      const heard = hear(store, SETTLED)
      const { cartId, again } = await settledInSilence()
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      const { id, announcements } = await row()
      expect(announcements).toEqual([{ event: "settled", event_id: `${id}:settled` }])
      again()

      expect(await sentByOneRun(SETTLED)).toEqual([])
      await update({ announce_at: "now() - interval '1 second'" })
      expect(await sentByOneRun(SETTLED)).toEqual([
        expect.objectContaining({ id, event_id: `${id}:settled` }),
      ])
      expect(await sentByOneRun(SETTLED)).toEqual([])
      expect(await row()).toMatchObject({ announcements: null, announce_at: null })
      await heardSome(heard, 1)
      expect(heard).toHaveLength(1)
    })

    it("is kept by a bus that fails, as often as it fails", async () => {
      const { again } = await settledInSilence()
      const kept = (await row()).announcements
      for (let run = 0; run < 2; run++) {
        await update({ announce_at: "now() - interval '1 second'" })
        await store.runSchedule()
        expect(await row()).toMatchObject({ announcements: kept, announce_at: expect.any(Date) })
      }
      again()
      expect(await sentByOneRun(SETTLED)).toHaveLength(1)
    })

    it("takes no event away that is added while it is sent", async () => {
      const { again } = await settledInSilence()
      again()
      const { id } = await row()
      const { cases } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const emit = bus().emit.bind(bus())
      const adding = jest.spyOn(bus(), "emit").mockImplementation(async (data, options) => {
        const names = [data].flat().map(({ name }) => name)
        if (names.includes(ATTENTION)) {
          throw new Error("the bus is away")
        }
        if (names.includes(SETTLED)) {
          await cases.open(id, "duplicate_payment", {})
        }
        await emit(data, options)
      })
      await update({ announce_at: "now() - interval '1 second'" })
      await store.runSchedule()
      adding.mockRestore()

      const added = { event: "attention_required", reason: "duplicate_payment" }
      expect((await row()).announcements).toMatchObject([{ event: "settled" }, added])
      await update({ announce_at: "now() - interval '1 second'" })
      expect(await sentByOneRun(ATTENTION)).toEqual([expect.objectContaining({ id, reason: added.reason })])
      expect(await row()).toMatchObject({ announcements: null, announce_at: null })
    })

    it("has the same `event_id` when it is sent twice, so that a subscriber can drop the second", async () => {
      const heard = hear(store, SETTLED)
      const { id } = await placePaidOrder(store)
      await heardSome(heard, 1)
      // As when the process died after it was sent and before that was noted.
      await waitUntil(row, ({ announcements }) => announcements === null)
      await update({
        announcements: `jsonb_build_array(jsonb_build_object('event', 'settled', 'event_id', id || ':settled'))`,
        announce_at: "now() - interval '1 second'",
      })
      await store.runSchedule()
      await heardSome(heard, 2)
      expect(heard.map(({ event_id }) => event_id)).toEqual([`${id}:settled`, `${id}:settled`])
    })
  })

  describe("`order.placed`", () => {
    const announced = async (): Promise<PaidOrder> => {
      const paid = await placePaidOrder(store)
      await waitUntil(row, ({ order_announced_at, lease_until, settled_at }) =>
        [order_announced_at !== null, lease_until === null, settled_at !== null].every(Boolean)
      )
      return paid
    }

    it("of an order that we completed and nobody heard of is sent again, once", async () => {
      const { orderId } = await announced()
      const heard = hear(store, PLACED)
      await update({ order_announced_at: null, settled_at: "now() - interval '2 minutes'" })
      expect(await sentByOneRun(PLACED)).toEqual([{ id: orderId }])
      await heardSome(heard, 1)
      await waitUntil(row, ({ order_announced_at }) => order_announced_at !== null)

      expect(await sentByOneRun(PLACED)).toEqual([])
      expect(heard).toEqual([{ id: orderId }])
    })

    it("of an order that was refunded in full before anybody heard of it is sent", async () => {
      const { orderId } = await announced()
      await update({
        state: "'refunded'",
        order_announced_at: null,
        settled_at: "now() - interval '2 minutes'",
      })
      store.leavesDamage("it counts as refunded, and no refund is registered")
      expect(await sentByOneRun(PLACED)).toEqual([{ id: orderId }])
    })

    it("of an order that was placed instead of a deleted one is sent, though that one's was heard", async () => {
      const { orderId } = await announced()
      await update({ order_id: "'order_deleted'", settled_at: null, next_check_at: "now()" })
      await settleDue(store)
      expect(await row()).toMatchObject({ order_id: orderId, order_announced_at: null })
      await update({ settled_at: "now() - interval '2 minutes'" })
      expect(await sentByOneRun(PLACED)).toEqual([{ id: orderId }])
    })

    it("that the bus refuses is sent again one tick later", async () => {
      const { orderId } = await announced()
      const heard = hear(store, PLACED)
      await update({ order_announced_at: null, settled_at: "now() - interval '2 minutes'" })
      const bus = store.container.resolve(Modules.EVENT_BUS)
      jest.spyOn(bus, "emit").mockRejectedValueOnce(new Error("the bus is away"))
      await store.runSchedule()
      jest.restoreAllMocks()
      expect(await row()).toMatchObject({ order_announced_at: null, order_placed_sent_at: null })

      await store.runSchedule()
      await waitUntil(row, ({ order_announced_at }) => order_announced_at !== null)
      expect(heard).toEqual([{ id: orderId }])
    })

    it.each([
      ["never", "never", "3 hours", 1],
      ["a minute after the settle", "28 minutes", "29 minutes", 0],
      ["a minute after the settle", "29 minutes", "30 minutes", 1],
      ["half an hour after the settle", "20 minutes", "50 minutes", 0],
      ["a minute after the settle", "59 minutes", "61 minutes", 0],
    ])(
      "that was sent again %s, %s ago, of an order that was settled %s ago is sent %i times more",
      async (_, sentAgo, settledAgo, times) => {
        const { orderId } = await announced()
        await update({
          order_announced_at: null,
          settled_at: `now() - interval '${settledAgo}'`,
          order_placed_sent_at: sentAgo === "never" ? null : `now() - interval '${sentAgo}'`,
        })
        if (times === 0) {
          store.leavesDamage("its order.placed was never heard")
        }
        const sent = [await sentByOneRun(PLACED), await sentByOneRun(PLACED)].flat()
        expect(sent).toEqual(Array.from({ length: times }, () => ({ id: orderId })))
      }
    )

    it("of an order whose process may still send it is waited for", async () => {
      await announced()
      await update({ order_announced_at: null, settled_at: "now() - interval '50 seconds'" })
      expect(await sentByOneRun(PLACED)).toEqual([])
    })

    it("is not sent again for a link that was made after the order was placed", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId } = await withOtherProvider()
      const session = await store.container
        .resolve<IPaymentModuleService>(Modules.PAYMENT)
        .createPaymentSession(collectionId, {
          provider_id: "pp_crypto_default",
          currency_code: "usd",
          amount: 20.01,
          data: {},
        })
      await payAndNotify(store, (session.data as unknown as SessionData).payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({ captures: ["20.01"], orders: 1 })
      await update({ settled_at: "now() - interval '2 minutes'" })
      expect(await sentByOneRun(PLACED)).toEqual([])
      expect((await shopper.complete(cartId)).data.type).toBe("order")
    })

    /** An order that was placed with another provider, heard of, and not paid. */
    async function withOtherProvider(): Promise<{ cartId: string; collectionId: string }> {
      const shopper = store.shopper()
      const heard = hear(store, PLACED)
      const cartId = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      await shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
        provider_id: "pp_system_default",
      })
      expect((await shopper.complete(cartId)).data.type).toBe("order")
      await heardSome(heard, 1)
      return { cartId, collectionId }
    }

    it("of orders that nobody can hear of any more does not keep others waiting", async () => {
      store.leavesDamage("rows of orders that do not exist")
      const { orderId } = await announced()
      await store.knex.raw(
        `INSERT INTO crypto_payment_request (id, provider_id, gateway_origin, payment_request_id,
           session_id, session_ids, payment_collection_id, cart_id, amount, currency_code, state, paid_at, settled_at)
         SELECT 'cpreq_gone' || n, 'pp_crypto_default', 'https://gateway.example', 'gone' || n,
                'payses_gone' || n, '{}', 'pay_col_gone' || n, 'cart_gone' || n, '20.01', 'usd', 'captured', now(), now() - interval '1 day'
           FROM generate_series(1, 150) AS n`
      )
      await store
        .knex("crypto_payment_request")
        .where({ order_id: orderId })
        .update({ order_announced_at: null, settled_at: store.knex.raw("now() - interval '2 minutes'") })
      const sent = [await sentByOneRun(PLACED), await sentByOneRun(PLACED)].flat()
      expect(sent).toEqual([{ id: orderId }])
    })
  })
})
