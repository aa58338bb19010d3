import { Modules } from "@medusajs/framework/utils"
import { settingsDesk } from "../../support/admin-api"
import { everythingHeard, hear } from "../../support/heard-events"
import { PayPages, WITH_PUBLIC_URL } from "../../support/pay-page"
import { ledgerRow, payAndNotify, untilAtRest } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import type { PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { cancelByHand, placeUnpaidOrder } from "../../support/unpaid-order"

type Session = PreparedCheckout["session"]

const AWAITING = "crypto_payment.awaiting_payment"
const EMAIL = "email"

describeStore(
  "a payer who has not paid",
  (store) => {
    const pages = new PayPages(store)
    const desk = settingsDesk(store)
    const rows = () => store.knex("crypto_payment_request")
    let heard: Record<string, unknown>[] = []

    beforeEach(async () => {
      const { data } = await desk.get()
      const saved = await desk.post({ version: data.settings.version, remind_after_minutes: 60 })
      expect(saved.status).toBe(200)
      heard = hear(store, AWAITING)
    })

    /** As if the link had been made so many minutes earlier, and the schedule had run. */
    async function remindedAfter(minutes: number): Promise<unknown[]> {
      const minutesAgo = (column: string) =>
        store.knex.raw(`${column} - interval '${String(minutes)} minutes'`)
      await store.knex("payment_session").update({ created_at: minutesAgo("created_at") })
      await rows().update({
        created_at: minutesAgo("created_at"),
        remind_at: minutesAgo("remind_at"),
        next_check_at: store.knex.fn.now(),
      })
      await settleDue(store)
      await everythingHeard(store)
      return heard
    }
    const isLeft = async (session: Session): Promise<boolean> =>
      (await ledgerRow(store, session.id)).remind_at !== null

    it("is reminded once, when the time is over and the gateway says that the link is unpaid", async () => {
      const { session, cartId } = await store.shopper().checkout()
      expect(await remindedAfter(59)).toEqual([])
      const row = await ledgerRow(store, session.id)
      // The ladder's next step would be later.
      expect(row.next_check_at).toEqual(row.remind_at)
      expect(await remindedAfter(1)).toEqual([
        {
          event_id: `${row.id}:awaiting_payment`,
          ...{ id: row.id, provider_id: "pp_crypto_default", payment_request_id: row.payment_request_id },
          ...{ session_id: session.id, cart_id: cartId, order_id: null },
          ...{ amount: "20.01", currency_code: "usd", pay_page_url: null },
        },
      ])
      expect(await remindedAfter(600)).toHaveLength(1)
      expect(await rows().select("state", "remind_at", "announcements")).toEqual([
        { state: "open", remind_at: null, announcements: null },
      ])
    })

    it("gets the address of the order's pay page, and nobody else's data", async () => {
      const orderId = await pages.draft()
      const url = await pages.of(orderId)
      await pages.link(url)
      const [event] = await remindedAfter(60)
      expect(event).toMatchObject({ order_id: orderId, pay_page_url: url })
      expect(JSON.stringify(event)).not.toMatch(/guest@|\/pay\/[\da-f]{8}-/)
    })

    it("is asked for what the order owes now, not for what the link was made for", async () => {
      const { orderId } = await placeUnpaidOrder(store)
      await pages.changes.raise(orderId)
      await everythingHeard(store)
      expect(await remindedAfter(60)).toMatchObject([{ order_id: orderId, amount: "35.02" }])
    })

    it("gets the address of the order's pay page also when the order had none", async () => {
      const { orderId } = await placeUnpaidOrder(store)
      const [event] = (await remindedAfter(60)) as Record<string, unknown>[]
      expect(event).toMatchObject({ order_id: orderId, pay_page_url: await pages.of(orderId) })
    })

    it.each<[string, (session: Session, cartId: string) => Promise<unknown>]>([
      ["has paid", async ({ data }) => await payAndNotify(store, data.payment_request_id)],
      [
        "has paid, which no notification said",
        async ({ data }) => await store.gateway.pay(data.payment_request_id),
      ],
      ["has paid a part", async ({ data }) => await store.gateway.payPart(data.payment_request_id)],
      ["is paying", async ({ data }) => await store.gateway.setStatus(data.payment_request_id, "PENDING")],
      [
        "cannot pay by the link any more",
        async ({ data }) => await store.gateway.setStatus(data.payment_request_id, "EXPIRED"),
      ],
      [
        "is said to have paid",
        async ({ data }) => {
          await store.gateway.pay(data.payment_request_id, { visible: false })
          await store.gateway.notify(data.payment_request_id)
        },
      ],
      [
        "cannot be asked for, because the gateway fails",
        async () => await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 }),
      ],
      [
        "has chosen another cart",
        async (_, cartId) =>
          await store
            .shopper()
            .post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 }),
      ],
    ])("is not reminded who %s", async (_, happens) => {
      const { session, cartId } = await store.shopper().checkout()
      await happens(session, cartId)
      expect(await remindedAfter(60)).toEqual([])
      await store.gateway.recover()
    })

    it("is reminded once the gateway can be read again", async () => {
      const { session } = await store.shopper().checkout()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      expect(await remindedAfter(120)).toEqual([])
      expect(await isLeft(session)).toBe(true)
      await store.gateway.recover()
      expect(await remindedAfter(0)).toHaveLength(1)
    })

    it.each<[string, (orderId: string) => Promise<unknown>]>([
      ["cancelled", async (orderId) => await cancelByHand(store, orderId)],
      [
        "paid another way",
        async (orderId) =>
          await store.container.resolve(Modules.ORDER).addOrderTransactions({
            ...{ order_id: orderId, amount: 20.01, currency_code: "usd" },
            ...{ reference: "bank-transfer", reference_id: "1" },
          }),
      ],
      ["archived", async (id) => await store.knex("order").where({ id }).update({ status: "archived" })],
    ])("is not reminded of an order that was %s", async (_, change) => {
      const { orderId } = await placeUnpaidOrder(store)
      await change(orderId)
      expect(await remindedAfter(60)).toEqual([])
    })

    it("is not reminded of one link of an order while a part of another has arrived", async () => {
      const { orderId, session } = await placeUnpaidOrder(store)
      await pages.changes.raise(orderId)
      await pages.link(await pages.of(orderId))
      await store.gateway.payPart(session.data.payment_request_id)
      await settleDue(store)
      expect(await remindedAfter(60)).toEqual([])
      expect((await ledgerRow(store, session.id)).attention_reason).toBe("partly_paid")
    })

    it("is not asked again for what was paid before a lost event was sent", async () => {
      const { session, cartId } = await store.shopper().checkout()
      await payAndNotify(store, session.data.payment_request_id)
      await untilAtRest(store, cartId)
      const event = { event: "awaiting_payment", event_id: "1" }
      await rows().update({ announcements: JSON.stringify([event]), announce_at: new Date(0) })
      await store.runSchedule()
      await everythingHeard(store)
      expect(heard).toEqual([])
      expect(await rows().pluck("announcements")).toEqual([null])
    })

    it("is not asked for all of it once a part has arrived, before a lost event was sent", async () => {
      const { session } = await store.shopper().checkout()
      await store.gateway.payPart(session.data.payment_request_id)
      await rows().update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      const event = { event: "awaiting_payment", event_id: "1" }
      await rows().update({ announcements: JSON.stringify([event]), announce_at: new Date(0) })
      await store.runSchedule()
      await everythingHeard(store)
      expect(heard).toEqual([])
      expect(await rows().select("state", "attention_reason", "announcements")).toEqual([
        { state: "open", attention_reason: "partly_paid", announcements: null },
      ])
    })

    it("is told on the channel that medusa-config names, at the order's address, and not of a cart", async () => {
      const sent = jest.spyOn(store.container.resolve(Modules.NOTIFICATION), "createNotifications")
      sent.mockResolvedValue([] as never)
      await store.shopper().checkout()
      expect(await remindedAfter(60)).toHaveLength(1)
      const orderId = await pages.draft()
      const url = await pages.of(orderId)
      const { id } = await pages.link(url)
      const { display_id } = await store.knex("order").where({ id: orderId }).first("display_id")
      await remindedAfter(60)
      expect(sent.mock.calls).toEqual([
        [
          {
            ...{ channel: EMAIL, to: "guest@example.test", template: "crypto-payment-reminder" },
            data: {
              ...{ id, order_display_id: display_id as number, pay_page_url: url },
              ...{ amount: "15.01", currency_code: "usd" },
            },
            idempotency_key: `${String(id)}:awaiting_payment`,
          },
        ],
      ])
      jest.restoreAllMocks()
    })
  },
  {
    ...WITH_PUBLIC_URL,
    CRYPTO_PAYMENTS_ORDER_PLACEMENT: "before_payment",
    CRYPTO_PAYMENTS_REMIND_CHANNEL: EMAIL,
  }
)
