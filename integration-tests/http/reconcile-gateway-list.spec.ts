import reconcileGatewayList from "../../.medusa/server/src/jobs/reconcile-gateway-list"
import printReconciliation from "../../.medusa/server/src/scripts/reconcile-gateway-list"
import { reconcileGatewayListWorkflow, type ListReport } from "../../.medusa/server/src/workflows"
import { PAID_OK, readEndState, UNPAID } from "../support/end-state"
import { createAtGateway } from "../support/gateway-requests"
import { notificationData, signedBody } from "../support/notification"
import { endOf } from "../support/paid-checkout"
import { nothingIsDue, settleDue } from "../support/settle-due"
import type { PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const provider_id = "pp_crypto_default"
const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

describeStore("reconciling the gateway's list", (store) => {
  const reconcile = async (): Promise<ListReport> => {
    const { result } = await reconcileGatewayListWorkflow(store.container).run({ input: { provider_id } })
    return result
  }

  const rows = async (): Promise<Record<string, unknown>[]> =>
    await store.knex("crypto_payment_request").orderBy("created_at").select()

  /** A checkout whose payment request exists at the gateway, and whose answer never came. */
  const loseAnswer = async (): Promise<{ cartId: string; paymentRequestId: string; sessionId: string }> => {
    const shopper = store.shopper()
    const cartId = await shopper.cart()
    const collectionId = await shopper.collection(cartId)
    await store.gateway.fail({ endpoint: "create", kind: "reset", applied: "after", times: 1 })
    expect((await shopper.openSession(collectionId)).status).toBe(500)
    const [lost] = await store.gateway.payments()
    const [paymentRequestId, sessionId] = [String(lost?.payment_request_id), String(lost?.note)]
    expect(await rows()).toMatchObject([{ state: "closed", payment_request_id: null, session_id: sessionId }])
    return { cartId, paymentRequestId, sessionId }
  }

  const payUnnoticed = async ({ session }: PreparedCheckout): Promise<void> => {
    await store.gateway.pay(session.data.payment_request_id)
  }

  describe("a request whose creation's answer was lost", () => {
    it("gets its row back, and is watched", async () => {
      const { paymentRequestId, sessionId } = await loseAnswer()
      const report = await reconcile()
      const [row] = await rows()
      expect(row).toMatchObject({
        payment_request_id: paymentRequestId,
        session_id: sessionId,
        state: "closed",
      })
      expect(report).toMatchObject({
        complete: true,
        counts: { listed: 1, adopted: 1, not_listed: 0 },
        rows: [
          {
            id: row?.["id"],
            payment_request_id: paymentRequestId,
            finding: "adopted",
            listed_status: "UNPAID",
          },
        ],
      })
      await settleDue(store)
      expect(await rows()).toMatchObject([{ gateway_status: "UNPAID", attention_reason: null }])
      expect(await reconcile()).toMatchObject({ counts: { known: 1, adopted: 0 }, rows: [] })
    })

    it("pays its cart when it is paid, since that still asks for it", async () => {
      const { cartId, paymentRequestId } = await loseAnswer()
      await store.gateway.pay(paymentRequestId)
      await reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("is taken over by its notification, before any comparison", async () => {
      const { cartId, paymentRequestId } = await loseAnswer()
      await store.gateway.pay(paymentRequestId)
      await store.gateway.notify(paymentRequestId)
      expect(await endOf(store, cartId)).toEqual(PAID_OK)
    })

    it("is not believed of a notification whose note names it, and whose request is another's", async () => {
      const { cartId, sessionId } = await loseAnswer()
      const another = await createAtGateway("another-shops-note")
      await store.gateway.pay(another.payment_request_id)
      const body = signedBody(
        notificationData(another.payment_request_id, { status: "PAID", note: sessionId })
      )
      const { status } = await fetch(store.webhookUrl, { method: "POST", body })
      await waitUntil(
        async () => await store.gateway.calls("GET"),
        (calls) => calls.some(({ path }) => path.endsWith(another.payment_request_id))
      )
      await nothingIsDue(store)
      expect(status).toBe(200)
      expect((await readEndState(store.knex, cartId)).ledger).toEqual([
        { state: "closed", settled: false, attention: null },
      ])
      expect(await rows()).toMatchObject([{ payment_request_id: null }])
    })

    it("is left alone while the creation may still get its answer", async () => {
      await loseAnswer()
      await store
        .knex("crypto_payment_request")
        .update({ state: "creating", created_at: store.knex.fn.now() })
      expect((await reconcile()).rows).toMatchObject([{ finding: "creation_under_way" }])
      expect(await rows()).toMatchObject([
        { state: "creating", payment_request_id: null, next_check_at: null },
      ])
    })

    it("is found too when the instance died while creating", async () => {
      const { paymentRequestId } = await loseAnswer()
      await store.knex("crypto_payment_request").update({
        state: "creating",
        created_at: store.knex.raw("now() - interval '61 seconds'"),
      })
      expect((await reconcile()).counts.adopted).toBe(1)
      expect(await rows()).toMatchObject([{ state: "closed", payment_request_id: paymentRequestId }])
    })

    it("is adopted once when two runs are asked for at the same time: one of them is told to wait", async () => {
      const { paymentRequestId } = await loseAnswer()
      const runs = await Promise.allSettled([reconcile(), reconcile()])
      expect(runs.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"])
      expect(runs.find(({ status }) => status === "rejected")).toMatchObject({
        reason: { type: "conflict", message: expect.stringContaining("being compared") as string },
      })
      expect(await rows()).toMatchObject([{ payment_request_id: paymentRequestId }])
    })
  })

  describe("a request the list calls PAID and the ledger does not", () => {
    it("is settled by the next tick", async () => {
      const checkout = await store.shopper().checkout()
      await payUnnoticed(checkout)
      const report = await reconcile()
      expect(report).toMatchObject({
        counts: { known: 1, check_requested: 1 },
        rows: [{ finding: "check_requested", listed_status: "PAID" }],
      })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
      expect(await reconcile()).toMatchObject({ counts: { known: 1, check_requested: 0 }, rows: [] })
    })

    it("is settled although its row was closed", async () => {
      const checkout = await store.shopper().checkout()
      await store.knex("crypto_payment_request").update({ state: "closed", next_check_at: null })
      await payUnnoticed(checkout)
      await reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
    })

    it("captures nothing before the gateway's read says so", async () => {
      const checkout = await store.shopper().checkout()
      await payUnnoticed(checkout)
      await store.gateway.fail({ endpoint: "read", kind: "false_flag" })
      await reconcile()
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(UNPAID)
    })
  })

  describe("a request without a row", () => {
    it("of a session that another request has paid stands on the attention list as a duplicate", async () => {
      const checkout = await store.shopper().checkout()
      await payUnnoticed(checkout)
      await reconcile()
      await settleDue(store)
      const { payment_request_id: second } = await createAtGateway(checkout.session.id)
      await store.gateway.pay(second)
      expect(await reconcile()).toMatchObject({ counts: { inserted: 1 } })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual({
        ...PAID_OK,
        ledger: [...PAID_OK.ledger, { state: "paid", settled: false, attention: "duplicate_payment" }],
      })
    })

    it("of a session that has another request does not take its place", async () => {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await createAtGateway(checkout.session.id)
      await reconcile()
      await payUnnoticed(checkout)
      expect((await shopper.complete(checkout.cartId)).data.type).toBe("order")
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual({
        ...PAID_OK,
        ledger: [...PAID_OK.ledger, { state: "closed", settled: false, attention: null }],
      })
    })

    it("of a session that lives in Medusa becomes its row, and pays it", async () => {
      const checkout = await store.shopper().checkout()
      await store.knex("crypto_payment_request").delete()
      await payUnnoticed(checkout)
      expect(await reconcile()).toMatchObject({ counts: { inserted: 1 } })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
    })

    it("of a session nobody knows stands on the attention list, once", async () => {
      await store.gateway.pay((await createAtGateway(UNKNOWN_SESSION)).payment_request_id)
      expect(await reconcile()).toMatchObject({
        counts: { unknown_session: 1, paid_and_unknown: 1, others: 0 },
        rows: [{ id: expect.stringMatching(/^cpreq_/), finding: "unknown_session", listed_status: "PAID" }],
      })
      await settleDue(store)
      expect(await reconcile()).toMatchObject({ counts: { known: 1, unknown_session: 0 } })
      expect(await rows()).toEqual([
        expect.objectContaining({
          state: "paid",
          attention_reason: "orphan_paid",
          payment_collection_id: null,
          captured_at: null,
        }),
      ])
    })

    it("of a session nobody knows is only reported while it is unpaid", async () => {
      await createAtGateway(UNKNOWN_SESSION)
      expect(await reconcile()).toMatchObject({
        counts: { unknown_session: 1, paid_and_unknown: 0 },
        rows: [{ id: null, finding: "unknown_session", listed_status: "UNPAID" }],
      })
      expect(await rows()).toEqual([])
    })

    it.each([[null], ["invoice 7"], ["payses_"], ["see payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"], ["\0"]])(
      "and with the note %p belongs to another shop: counted, nothing else",
      async (note) => {
        await store.gateway.pay((await createAtGateway(note)).payment_request_id)
        expect(await reconcile()).toMatchObject({
          complete: true,
          counts: { listed: 1, others: 1 },
          rows: [],
        })
        expect(await rows()).toEqual([])
      }
    )
  })

  describe("a row the gateway's list lacks", () => {
    const loseAtGateway = async (): Promise<Record<string, unknown>> => {
      await store.shopper().checkout()
      await store.gateway.reset()
      const [row] = await rows()
      return row ?? {}
    }

    it("is reported and stays as it is", async () => {
      const { id, payment_request_id, ...before } = await loseAtGateway()
      expect(await reconcile()).toMatchObject({
        complete: true,
        counts: { not_listed: 1 },
        rows: [{ id, payment_request_id, finding: "not_listed", listed_status: null }],
      })
      expect(await rows()).toEqual([{ id, payment_request_id, ...before }])
    })

    it("is not reported of another account, nor of a list that was not seen to its end", async () => {
      await loseAtGateway()
      await store.gateway.fail({ endpoint: "list", kind: "status", status: 503 })
      const unseen = await reconcile()
      expect([unseen.complete, unseen.counts.not_listed]).toEqual([false, 0])
      expect(unseen.incomplete_because[0]).toEqual({ page: null, reason: "gateway_unavailable" })

      await store.gateway.recover()
      await store.knex("crypto_payment_request").update({ gateway_account: "https://former.example" })
      expect((await reconcile()).counts.not_listed).toBe(0)
    })
  })

  describe("with a server that", () => {
    const strays = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        await createAtGateway(`${UNKNOWN_SESSION.slice(0, -2)}${String(i).padStart(2, "0")}`)
      }
    }

    it.each(["normal", "repeat_pages", "shuffle"])(
      "pages its list as %p, every request is seen, once",
      async (listBehaviour) => {
        await strays(12)
        await store.gateway.change({ listBehaviour, listPageSize: 5 })
        const report = await reconcile()
        expect(report).toMatchObject({ complete: true, counts: { listed: 12, unknown_session: 12 } })
        expect(new Set(report.rows.map(({ payment_request_id }) => payment_request_id)).size).toBe(12)
      }
    )

    it("ignores `page`, it ends and says that it has not seen everything", async () => {
      await strays(12)
      await store.gateway.change({ listBehaviour: "ignore_page", listPageSize: 5 })
      expect(await reconcile()).toMatchObject({
        complete: false,
        incomplete_because: [{ page: null, reason: "fewer_than_stated" }],
        counts: { listed: 5, unknown_session: 5 },
      })
    })

    it("has one page that cannot be read, the others are compared and the report says so", async () => {
      await strays(20)
      // Twenty notes of nine tenths of a megabyte make their page larger than a page may be.
      for (let n = 0; n < 20; n++) {
        await createAtGateway("x".repeat(900_000))
      }
      await strays(20)
      await store.gateway.change({ listPageSize: 20 })
      const report = await reconcile()
      expect(report).toMatchObject({ complete: false, counts: { listed: 40, not_listed: 0 } })
      expect(report.incomplete_because).toEqual([
        { page: 2, reason: expect.stringContaining("gateway_malformed") },
        { page: null, reason: "fewer_than_stated" },
      ])
    })
  })

  it("asks the database once for each page, however many requests are on it", async () => {
    for (let i = 0; i < 9; i++) {
      await createAtGateway(i % 3 === 0 ? null : `${UNKNOWN_SESSION.slice(0, -1)}${i}`)
    }
    await store.gateway.change({ listPageSize: 3 })
    const statements: string[] = []
    const listen = ({ sql }: { sql: string }): void => {
      statements.push(sql)
    }
    store.knex.on("query", listen)
    await reconcile()
    store.knex.off("query", listen)
    const perPage = statements.filter((sql) => sql.includes("jsonb_to_recordset"))
    expect(perPage).toHaveLength(3)
    // And one look for the rows the list lacks; what is due is the store's own tick asking.
    const ours = statements.filter(
      (sql) => sql.includes("crypto_payment_request") && !sql.includes("next_check_at <= now()")
    )
    expect(ours).toHaveLength(3 + 1)
  })

  it("gives a report of plain JSON without the payer", async () => {
    await loseAnswer()
    const report = await reconcile()
    const text = JSON.stringify(report)
    expect(JSON.parse(text)).toEqual(report)
    expect(text).not.toMatch(/@|Aisha|Rahman|Creek/)
  })

  it("is done by the nightly job for every configured provider", async () => {
    const { paymentRequestId } = await loseAnswer()
    await reconcileGatewayList(store.container)
    expect(await rows()).toMatchObject([{ payment_request_id: paymentRequestId }])
  })

  it("is done and printed by the merchant's script", async () => {
    const { paymentRequestId } = await loseAnswer()
    const printed: string[] = []
    const write = jest.spyOn(process.stdout, "write").mockImplementation((text, ...rest: unknown[]) => {
      printed.push(String(text))
      rest.filter((each) => typeof each === "function").forEach((done) => (done as () => void)())
      return true
    })
    await printReconciliation({ container: store.container, args: [] })
    write.mockRestore()
    const [row] = await rows()
    expect(printed.join("")).toContain("Gateway list of pp_crypto_default: seen to its end")
    expect(printed.join("")).toContain(`adopted  ${paymentRequestId}  ${String(row?.["id"])}  UNPAID`)
  })
})
