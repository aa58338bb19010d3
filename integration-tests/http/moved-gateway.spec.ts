import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { reconcileGatewayListWorkflow, type ListReport } from "../../.medusa/server/src/workflows"
import { PAID_OK, readEndState, UNPAID } from "../support/end-state"
import { createAtGateway } from "../support/gateway-requests"
import { hear } from "../support/heard-events"
import { placePaidOrder } from "../support/paid-checkout"
import { settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"

const provider_id = "pp_crypto_default"
/** Nothing listens there, and no connection to it is stored. */
const FORMER = "https://former.example"
const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

describeStore("a gateway whose address changed", (store) => {
  const current = (): string => new URL(store.gatewayBaseUrl).origin

  const reconcile = async (): Promise<ListReport> => {
    const { result } = await reconcileGatewayListWorkflow(store.container).run({ input: { provider_id } })
    return result
  }

  const rows = async (): Promise<Record<string, unknown>[]> =>
    await store.knex("crypto_payment_request").whereNull("deleted_at").orderBy("created_at").select()

  /** As if the rows there are had been created before the move. */
  const move = async (more: Record<string, unknown> = {}): Promise<void> => {
    await store.knex("crypto_payment_request").update({ gateway_origin: FORMER, ...more })
  }

  const makeDue = async (): Promise<void> => {
    await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
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

    it("adds no second row when the address changed before accounts were kept", async () => {
      const { cartId } = await placePaidOrder(store)
      await move({ gateway_account: FORMER })
      expect(await reconcile()).toMatchObject({ counts: { known: 1 }, rows: [] })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toHaveLength(1)
    })

    it("knows the rows of another provider of the same account", async () => {
      const { cartId } = await placePaidOrder(store)
      await move({ provider_id: "pp_crypto_second", gateway_account: "https://elsewhere.example" })
      expect(await reconcile()).toMatchObject({ counts: { known: 1 }, rows: [] })
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toHaveLength(1)
    })

    it("finds a lost PAID once, however often and by however many it is looked for", async () => {
      await store.gateway.pay((await createAtGateway(UNKNOWN_SESSION)).payment_request_id)
      await reconcile()
      await move()
      await Promise.allSettled([reconcile(), reconcile()])
      await settleDue(store)
      await reconcile()
      expect(await rows()).toMatchObject([{ state: "paid", attention_reason: "orphan_paid" }])
    })

    it("gives back the id of a creation whose answer was lost before the move", async () => {
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
      await shopper.openSession(collectionId)
      await move({ gateway_account: FORMER })
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

    it("gives back a lost creation's id although the account has another payment of that id", async () => {
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
      expect(await reconcile()).toMatchObject({ counts: { known: 2 }, rows: [] })
      await settleDue(store)
      const ofThatId = (await rows()).filter((row) => row["payment_request_id"] === other.payment_request_id)
      expect(ofThatId).toMatchObject([
        { session_id: session.id, state: "open", paid_at: null, failure: "refused" },
        { cart_id: null, attention_reason: "orphan_paid" },
      ])
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    })

    it("binds one of two requests of a session to it, and the other's PAID appears in the attention list", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await store.knex("crypto_payment_request").delete()
      const { payment_request_id: second } = await createAtGateway(session.id)
      await store.gateway.pay(session.data.payment_request_id)
      await store.gateway.pay(second)
      expect(await reconcile()).toMatchObject({ counts: { inserted: 2 } })
      await settleDue(store)
      await makeDue()
      await settleDue(store)
      const { ledger, ...end } = await readEndState(store.knex, cartId)
      expect(end).toEqual({ ...PAID_OK, ledger: undefined })
      expect(ledger).toHaveLength(2)
      expect(ledger).toEqual(
        expect.arrayContaining([
          { state: "captured", settled: true, attention: null },
          { state: "paid", settled: false, attention: "duplicate_payment" },
        ])
      )
      expect(await reconcile()).toMatchObject({ counts: { known: 2 }, rows: [] })
    })
  })

  it("is shown next to its rows in the admin's page of the gateway's list", async () => {
    const { session } = await store.shopper().checkout()
    await move()
    const { data } = await store.http.get("/admin/crypto-payments/gateway-requests", await store.admin())
    expect(data.gateway_requests).toMatchObject([
      { payment_request_id: session.data.payment_request_id, crypto_payment: { state: "open" } },
    ])
  })

  describe("when a row of the former address is read", () => {
    it("settles what the new address confirms, and is read there from then on", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await move()
      await store.gateway.pay(session.data.payment_request_id)
      await makeDue()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toMatchObject([{ gateway_origin: current() }])
    })

    it("settles a link that was bound to another session since, by the session it was made for", async () => {
      const shopper = store.shopper()
      const { cartId, collectionId } = await shopper.checkout()
      const opened = await shopper.openSession(collectionId)
      expect(opened.status).toBe(200)
      const [row] = await rows()
      expect(row?.["session_ids"]).toHaveLength(2)
      await move()
      await store.gateway.pay(String(row?.["payment_request_id"]))
      await makeDue()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("never settles another payment of the same id, although its amount is right", async () => {
      const { payment_request_id } = await createAtGateway(UNKNOWN_SESSION)
      const { cartId } = await store.shopper().checkout()
      await move({ payment_request_id })
      await store.gateway.pay(payment_request_id)
      await makeDue()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
      expect(await rows()).toMatchObject([{ gateway_origin: FORMER, failure: "refused" }])
    })

    it("is not refused while the new address does not answer", async () => {
      await store.shopper().checkout()
      await move()
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      await makeDue()
      await settleDue(store)
      expect(await rows()).toMatchObject([{ gateway_origin: FORMER, failure: "unreadable" }])
    })

    it("opens the case of a wrong amount when the confirmed payment is another sum", async () => {
      const { cartId, session } = await store.shopper().checkout()
      await move({ amount: "20.02" })
      await store.gateway.pay(session.data.payment_request_id)
      await makeDue()
      await settleDue(store)
      const { captures, ledger } = await readEndState(store.knex, cartId)
      expect([captures, ledger]).toEqual([
        [],
        [{ state: "paid", settled: false, attention: "amount_mismatch" }],
      ])
    })
  })

  describe("when it was a change to another account", () => {
    /** An old row that has, in the account `account`, the id that the gateway gives next. */
    const plantIdOfNext = async (account: string): Promise<void> => {
      await store.knex.raw(`
        CREATE FUNCTION plant() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          IF OLD.payment_request_id IS NULL AND NEW.payment_request_id IS NOT NULL THEN
            INSERT INTO crypto_payment_request (id, provider_id, gateway_origin, gateway_account, payment_request_id,
              session_id, session_ids, amount, currency_code, state)
            VALUES ('cpreq_old', 'pp_crypto_default', '${FORMER}', ${account}, NEW.payment_request_id, 'payses_old',
              ARRAY['payses_old'], '20.01', 'usd', 'closed');
          END IF;
          RETURN NEW;
        END $$;
        CREATE TRIGGER plant BEFORE UPDATE ON crypto_payment_request FOR EACH ROW EXECUTE FUNCTION plant()`)
    }

    afterEach(async () => {
      await store.knex.raw("DROP FUNCTION plant() CASCADE")
    })

    it("keeps the new payment next to the old one of the same id, under a new account", async () => {
      await store.knex("crypto_payment_provider_status").insert({ id: provider_id, gateway_account: FORMER })
      await plantIdOfNext(`'${FORMER}'`)
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      await store.gateway.notify(session.data.payment_request_id)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(
        await store.knex("crypto_payment_request").orderBy("gateway_account").pluck("gateway_account")
      ).toEqual([current(), FORMER])
      expect(await store.knex("crypto_payment_provider_status").pluck("gateway_account")).toEqual([current()])
    })

    it("shows no link when the id is taken in that account as well", async () => {
      await plantIdOfNext("NEW.gateway_account")
      const shopper = store.shopper()
      const collectionId = await shopper.collection(await shopper.cart())
      const { status, data } = await shopper.openSession(collectionId)
      expect([status, data.message]).toEqual([
        500,
        expect.stringContaining("gave an answer the shop cannot use"),
      ])
      expect(await rows()).toMatchObject([{ state: "closed", payment_request_id: null, payment_link: null }])
    })
  })

  it("keeps the account it had, for what is created from then on", async () => {
    const ledger = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    await store.knex("crypto_payment_provider_status").insert({ id: provider_id, gateway_account: FORMER })
    const { session } = await store.shopper().checkout()
    expect((await ledger.gateways.connect(provider_id)).account).toBe(FORMER)
    expect(await rows()).toMatchObject([
      { session_id: session.id, gateway_account: FORMER, gateway_origin: current() },
    ])
  })
})
