import type { ILockingModule } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import type { CryptoPaymentRequestRow } from "../../.medusa/server/src/modules/crypto-payments/models/crypto-payment-request"
import { HeldTimers, neverGiveUpCalls } from "../support/held-timers"
import { OrderChanges } from "../support/order-changes"
import { nothingIsDue, settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { PLACED_FIRST, placeUnpaidOrder, type UnpaidOrder } from "../support/unpaid-order"
import { waitUntil } from "../support/wait-until"

const POLLS = 20
const REFUSED = { endpoint: "create", kind: "status", status: 403 } as const

describeStore(
  "the page of a shopper whose unpaid order was changed",
  (store) => {
    neverGiveUpCalls()

    const changes = (): OrderChanges => new OrderChanges(store)

    const poll = async ({ session, cartId }: UnpaidOrder): Promise<AxiosResponse> =>
      await store.http.get(`/store/crypto-payments/${session.id}`, {
        headers: { "x-publishable-api-key": store.seeded.publishableKey, "x-cart-id": cartId },
      })

    const linked = async (order: UnpaidOrder): Promise<AxiosResponse> =>
      await waitUntil(
        async () => await poll(order),
        ({ data }) => data.payment_link !== undefined
      )

    /** Core gives a session that it restores another id. */
    const oldRow = async ({ session }: UnpaidOrder): Promise<CryptoPaymentRequestRow> =>
      (await store
        .knex("crypto_payment_request")
        .where({ payment_request_id: session.data.payment_request_id })
        .first()) as CryptoPaymentRequestRow

    const creations = async (): Promise<number> =>
      (await store.gateway.calls("POST")).filter(({ path }) => path.endsWith("/payments")).length

    /** 20.01 becomes 35.02. Its link is replaced only when somebody asks for it. */
    async function grown(): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      const before = await oldRow(order)
      await changes().raise(order.orderId)
      // The plugin hears of the edit a moment later, and reads the gateway then.
      await waitUntil(
        async () => await oldRow(order),
        ({ last_checked_at }) => last_checked_at?.getTime() !== before.last_checked_at?.getTime()
      )
      await nothingIsDue(store)
      await store.gateway.clearCalls()
      return order
    }

    /** 20.01 becomes 15.00. */
    async function lowered(): Promise<UnpaidOrder> {
      const order = await placeUnpaidOrder(store)
      await lower(order)
      await nothingIsDue(store)
      await store.gateway.clearCalls()
      return order
    }

    async function lower({ orderId }: UnpaidOrder, unit_price = 10): Promise<void> {
      const items = await changes().items(orderId)
      await changes().reprice(
        orderId,
        items.map((item) => ({ ...item, unit_price }))
      )
    }

    /** As if the page had asked, and the gateway was read, a minute earlier. */
    async function aMinutePasses(): Promise<void> {
      const columns = ["link_asked_at", "last_checked_at", "next_check_at"]
      const earlier = columns.map((column) => [column, store.knex.raw("?? - interval '1 minute'", [column])])
      await store
        .knex("crypto_payment_request")
        .update({ ...Object.fromEntries(earlier), check_requested_at: null })
    }

    it("is given no link by the poll that asks, and the new one by a later poll", async () => {
      const order = await grown()
      const first = await poll(order)
      expect(first.data).toMatchObject({ status: "awaiting_payment", order_kept: true })
      expect(first.data).not.toHaveProperty("payment_link")
      expect(first.headers["retry-after"]).toBe("2")
      const { data } = await linked(order)
      expect(data.status).toBe("awaiting_payment")
      expect(await creations()).toBe(1)
      // The new link may be given before the old one is withdrawn.
      const rows = await waitUntil(
        async () =>
          await store
            .knex("crypto_payment_request")
            .orderBy("created_at")
            .select("state", "amount", "payment_link"),
        ([first]) => first?.state !== "open"
      )
      expect(rows).toEqual([
        { state: "superseded", amount: "20.01", payment_link: order.session.data.payment_link },
        { state: "open", amount: "35.02", payment_link: data.payment_link },
      ])
    })

    it("is told what became of a link of two edits ago: that its order waits for a payment", async () => {
      const order = await grown()
      await linked(order)
      await changes().raise(order.orderId)
      await nothingIsDue(store)
      await store.gateway.fail(REFUSED)
      await aMinutePasses()
      const { data } = await poll(order)
      expect(data).toMatchObject({ status: "awaiting_payment", order_kept: true })
      expect(data).not.toHaveProperty("payment_link")
      await waitUntil(creations, (count) => count === 2)
      await store.gateway.recover()
      await aMinutePasses()
      await linked(order)
    })

    it("is given no other link while a payment is looked for that the gateway has told of", async () => {
      const order = await grown()
      const id = order.session.data.payment_request_id
      await store.gateway.pay(id, { visibleAfterReads: 2 })
      expect(await store.gateway.notify(id)).toEqual([200])
      await poll(order)
      const paid = await waitUntil(
        async () => await oldRow(order),
        ({ settled_at }) => settled_at !== null
      )
      expect(paid).toMatchObject({ state: "captured", attention_reason: "order_underpaid" })
      expect(await creations()).toBe(0)
      expect((await store.knex("capture").select("amount")).map(({ amount }) => Number(amount))).toEqual([
        20.01,
      ])
    })

    it("is given no other link while the gateway says in a word of its own that a payment is under way", async () => {
      const order = await placeUnpaidOrder(store)
      const id = order.session.data.payment_request_id
      await store.gateway.setStatus(id, "CONFIRMING")
      await aMinutePasses()
      expect(await store.gateway.notify(id, { status: "CONFIRMING" })).toEqual([200])
      await waitUntil(
        async () => await oldRow(order),
        ({ gateway_status }) => gateway_status === "CONFIRMING"
      )
      await store.gateway.clearCalls()
      await lower(order)
      await store.runSchedule()
      await poll(order)
      await nothingIsDue(store)
      expect(await creations()).toBe(0)

      await store.gateway.setStatus(id, "UNPAID")
      await aMinutePasses()
      await linked(order)
      expect(await creations()).toBe(1)
    })

    it("is answered while another process holds core's lock", async () => {
      const order = await grown()
      const { payment_collection_id } = await oldRow(order)
      const locking = store.container.resolve<ILockingModule>(Modules.LOCKING)
      // Nobody gives up waiting for it: a poll that waited would not be answered.
      const waits = new HeldTimers("locking/dist/providers/in-memory")
      await locking.execute(`crypto:${String(payment_collection_id)}`, async () => {
        for (let n = 0; n < 3; n++) {
          expect((await poll(order)).data).not.toHaveProperty("payment_link")
        }
      })
      waits.end()
      await aMinutePasses()
      await linked(order)
    })

    it("is answered before the gateway has answered anything", async () => {
      const order = await grown()
      await store.gateway.hold("any")
      expect((await poll(order)).status).toBe(200)
      expect((await store.gateway.calls()).filter(({ status }) => status !== null)).toEqual([])
      await store.gateway.release()
      await linked(order)
    })

    it("is given the link a minute later when the process that was asked has died", async () => {
      const order = await grown()
      // What a poll leaves behind.
      await store.knex("crypto_payment_request").update({ link_asked_at: store.knex.fn.now() })
      await poll(order)
      await settleDue(store)
      expect(await creations()).toBe(0)
      await aMinutePasses()
      await linked(order)
      expect(await creations()).toBe(1)
    })

    it.each([
      ["costs more now", grown, "35.02"],
      ["costs less now", lowered, "15.00"],
    ])(
      "causes one creation a minute while the gateway refuses, no case, and keeps the old link, of an order that %s",
      async (_, changed, owed) => {
        const order = await changed()
        await store.gateway.fail(REFUSED)
        for (let minute = 1; minute <= 3; minute++) {
          for (let n = 0; n < POLLS; n++) {
            expect((await poll(order)).data).not.toHaveProperty("payment_link")
          }
          await waitUntil(creations, (count) => count === minute)
          await store.untilQuiet()
          expect(await creations()).toBe(minute)
          expect(await oldRow(order)).toMatchObject({ state: "open", attention_reason: null })
          await aMinutePasses()
        }

        await store.gateway.recover()
        const { data } = await linked(order)
        expect(await creations()).toBe(4)
        const offered = await store
          .knex("crypto_payment_request")
          .where({ payment_link: data.payment_link })
          .first("amount")
        expect(offered.amount).toBe(owed)
      }
    )

    it("causes no creation without a page that asks", async () => {
      const order = await lowered()
      await aMinutePasses()
      await settleDue(store)
      await store.untilQuiet()
      expect(await creations()).toBe(0)
      expect(await oldRow(order)).toMatchObject({ state: "open", amount: "20.01", attention_reason: null })
    })
  },
  PLACED_FIRST
)
