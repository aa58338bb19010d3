import { reconcileGatewayList, type ListReport } from "../../../.medusa/server/src/workflows"
import { PAID_OK, readEndState, UNPAID } from "../../support/end-state"
import { createAtGateway } from "../../support/gateway-requests"
import { hear } from "../../support/heard-events"
import { placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import type { Shopper } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

const provider_id = "pp_crypto_default"
/** Nothing listens there. */
const FORMER = "https://former.example"
const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

describeStore("a gateway whose address changed", (store) => {
  const current = (): string => new URL(store.gatewayBaseUrl).origin

  const reconcile = async (): Promise<ListReport> =>
    await reconcileGatewayList(store.container, { provider_id })

  const rows = async (): Promise<Record<string, unknown>[]> =>
    await store.knex("crypto_payment_request").whereNull("deleted_at").orderBy("created_at").select()

  /** As if the rows there are had been created before the move. */
  const move = async (more: Record<string, unknown> = {}): Promise<void> => {
    await store.knex("crypto_payment_request").update({ gateway_origin: FORMER, ...more })
  }

  const makeDue = async (more: Record<string, unknown> = {}): Promise<void> => {
    await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now(), ...more })
  }

  describe("in the comparison with the gateway's list", () => {
    it("adds no second row for an order that is paid, opens no case and tells nobody again", async () => {
      const { cartId } = await placePaidOrder(store)
      await move()
      const settled = hear(store, "crypto_payment.settled")
      expect(await reconcile()).toMatchObject({ complete: true, counts: { listed: 1, known: 1 }, rows: [] })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toHaveLength(1)
      expect(settled).toEqual([])
    })

    it("knows the rows of another provider of the same account", async () => {
      const { cartId } = await placePaidOrder(store)
      await move({ provider_id: "pp_crypto_second" })
      expect(await reconcile()).toMatchObject({ counts: { known: 1 }, rows: [] })
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toHaveLength(1)
    })

    it("makes a PAID of a former address due, and moves nothing: its case names it after an hour", async () => {
      const { session, cartId } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await move()
      expect(await reconcile()).toMatchObject({ counts: { known: 1, check_requested: 1 } })
      await settleDue(store)
      await makeDue({ failing_since: store.knex.raw("now() - interval '61 minutes'") })
      await settleDue(store)
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      expect(await rows()).toMatchObject([
        { gateway_origin: FORMER, failure: "former_address", attention_reason: "gateway_unreadable" },
      ])
    })

    it("finds a lost PAID once, however often and by however many it is looked for", async () => {
      await store.gateway.pay((await createAtGateway(UNKNOWN_SESSION)).payment_request_id)
      await reconcile()
      await move()
      await Promise.allSettled([reconcile(), reconcile()])
      await settleDue(store)
      await reconcile()
      // Nobody has said whose the former address is, and nobody waits for this payment.
      expect(await rows()).toMatchObject([{ state: "closed", attention_reason: "gateway_unreadable" }])
    })

    it("gives back the id of a creation whose answer was lost before the move", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
      await shopper.openSession(collectionId)
      await move()
      const [lost] = await store.gateway.payments()
      expect(await reconcile()).toMatchObject({ counts: { adopted: 1 } })
      await settleDue(store)
      expect(await rows()).toMatchObject([
        {
          payment_request_id: lost?.payment_request_id,
          gateway_origin: current(),
          gateway_status: "UNPAID",
          failure: null,
        },
      ])
    })

    it("gives back a lost creation's id although a payment of a former address has that id", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
      await shopper.openSession(collectionId)
      const [lost] = await store.gateway.payments()
      const [half] = await rows()
      const { id: _id, session_id: _session, ...like } = half ?? {}
      await store.knex("crypto_payment_request").insert({
        ...like,
        id: "cpreq_old",
        gateway_origin: FORMER,
        session_id: "payses_old",
        session_ids: ["payses_old"],
        payment_request_id: lost?.payment_request_id,
      })
      expect(await reconcile()).toMatchObject({ counts: { adopted: 1 } })
      await store.gateway.pay(String(lost?.payment_request_id))
      expect(await reconcile()).toMatchObject({ counts: { known: 1, check_requested: 1 } })
      await settleDue(store)
      const after = await store.knex("crypto_payment_request").orderBy("id").select()
      expect(after).toMatchObject([
        { id: half?.["id"], payment_request_id: lost?.payment_request_id, state: "captured" },
        { id: "cpreq_old", paid_at: null, attention_reason: null },
      ])
    })

    it("tells a row apart from another account's payment of the same id, which gets a row and a case", async () => {
      const other = await createAtGateway(UNKNOWN_SESSION)
      const { cartId, session } = await store.shopper().checkout()
      await move({ payment_request_id: other.payment_request_id })
      await store.gateway.pay(other.payment_request_id)
      await reconcile()
      await makeDue()
      await settleDue(store)
      // The checkout's own request is the second one: its row has the other's id now.
      expect(await reconcile()).toMatchObject({ counts: { known: 1, unknown_session: 1 } })
      await settleDue(store)
      const ofThatId = (await rows()).filter((row) => row["payment_request_id"] === other.payment_request_id)
      expect(ofThatId).toMatchObject([
        { session_id: session.id, state: "open", paid_at: null, failure: "former_address" },
        { cart_id: null, attention_reason: "orphan_paid" },
      ])
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    })
  })

  it("never settles another account's payment of the same id at the same address", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const { payment_request_id } = session.data
    await store.gateway.pay(payment_request_id)
    await store.gateway.bendRecord(payment_request_id, { fields: { note: UNKNOWN_SESSION } })
    await makeDue()
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
    expect(await rows()).toMatchObject([{ state: "open", failure: "refused" }])

    await store.gateway.bendRecord(payment_request_id, { without: ["note"] })
    await makeDue()
    await settleDue(store)
    expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
  })

  describe("when a new payment gets an id that an old row has", () => {
    /** Opens the payment step, while an old row made at `origin` has the id that the gateway is about to give. */
    const openWithTakenId = async (origin: string): ReturnType<Shopper["openSession"]> => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.hold("create", { applied: "after" })
      const opening = shopper.openSession(collectionId)
      await store.gateway.untilHeld(1)
      const [created] = await store.gateway.payments()
      await store.knex("crypto_payment_request").insert({
        ...{ id: "cpreq_old", provider_id, gateway_origin: origin },
        ...{ payment_request_id: created?.payment_request_id, session_id: "payses_old" },
        ...{ session_ids: ["payses_old"], amount: "20.01", currency_code: "usd", state: "closed" },
      })
      await store.gateway.release()
      return await opening
    }

    it("keeps it next to the old one, which was made at another address", async () => {
      const { status } = await openWithTakenId(FORMER)
      expect(status).toBe(200)
      const [created] = await store.gateway.payments()
      const id = String(created?.payment_request_id)
      await store.gateway.pay(id)
      expect(await store.gateway.notify(id)).toEqual([200])
      await settleDue(store)
      const [opened] = await store.knex("crypto_payment_request").whereNot({ id: "cpreq_old" })
      // The notification names the session of the new one.
      const old = await store.knex("crypto_payment_request").where({ id: "cpreq_old" }).first()
      expect([old.is_reported_paid, old.last_webhook_at]).toEqual([false, null])
      expect(opened).toMatchObject({ state: "captured", payment_request_id: id })
      expect((await readEndState(store.knex, String(opened?.cart_id))).captures).toEqual(["20.01"])
    })

    it("shows no link when the id was given twice at this address", async () => {
      const { status, data } = await openWithTakenId(current())
      expect([status, data.message]).toEqual([
        500,
        expect.stringContaining("gave an answer the shop cannot use"),
      ])
      const [opened] = await store.knex("crypto_payment_request").whereNot({ id: "cpreq_old" })
      expect(opened).toMatchObject({ state: "closed", payment_request_id: null, payment_link: null })
    })
  })
})
