import { PAID_OK, readEndState } from "../../support/end-state"
import { gatewayList, UNKNOWN_SESSION } from "../../support/gateway-list"
import { createAtGateway } from "../../support/gateway-requests"
import { settleDue } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

describeStore("reconciling the gateway's list", (store) => {
  const on = gatewayList(store)

  describe("a request without a row", () => {
    it("of a session that another request has paid appears in the attention list", async () => {
      const checkout = await store.shopper().checkout()
      await on.payUnnoticed(checkout)
      await on.reconcile()
      await settleDue(store)
      const { payment_request_id: second } = await createAtGateway(checkout.session.id)
      await store.gateway.pay(second)
      expect(await on.reconcile()).toMatchObject({ counts: { unknown_session: 1, paid_and_unknown: 1 } })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
      expect(await on.rows()).toMatchObject([
        { state: "captured", attention_reason: null },
        { payment_request_id: second, state: "paid", attention_reason: "orphan_paid" },
      ])
    })

    it("of a session that has another request does not take its place", async () => {
      const shopper = store.shopper()
      const checkout = await shopper.checkout()
      await createAtGateway(checkout.session.id)
      await on.reconcile()
      await on.payUnnoticed(checkout)
      expect((await shopper.complete(checkout.cartId)).data.type).toBe("order")
      await store.knex("crypto_payment_request").update({ next_check_at: store.knex.fn.now() })
      await settleDue(store)
      expect(await readEndState(store.knex, checkout.cartId)).toEqual(PAID_OK)
    })

    it("of a session whose row is lost appears in the attention list, and pays nothing", async () => {
      const checkout = await store.shopper().checkout()
      await store.knex("crypto_payment_request").delete()
      await on.payUnnoticed(checkout)
      expect(await on.reconcile()).toMatchObject({ counts: { paid_and_unknown: 1 } })
      await settleDue(store)
      expect(await on.rows()).toMatchObject([{ state: "paid", attention_reason: "orphan_paid" }])
      expect((await readEndState(store.knex, checkout.cartId)).captures).toEqual([])
    })

    it("of a session nobody knows appears in the attention list, once", async () => {
      await store.gateway.pay((await createAtGateway(UNKNOWN_SESSION)).payment_request_id)
      expect(await on.reconcile()).toMatchObject({
        counts: { unknown_session: 1, paid_and_unknown: 1, others: 0 },
        rows: [{ id: expect.stringMatching(/^cpreq_/), finding: "unknown_session", listed_status: "PAID" }],
      })
      await settleDue(store)
      expect(await on.reconcile()).toMatchObject({ counts: { known: 1, unknown_session: 0 } })
      expect(await on.rows()).toEqual([
        expect.objectContaining({
          state: "paid",
          is_reported_paid: true,
          attention_reason: "orphan_paid",
          payment_collection_id: null,
          captured_at: null,
        }),
      ])
    })

    it("of a session nobody knows is only reported while it is unpaid", async () => {
      await createAtGateway(UNKNOWN_SESSION)
      expect(await on.reconcile()).toMatchObject({
        counts: { unknown_session: 1, paid_and_unknown: 0 },
        rows: [{ id: null, finding: "unknown_session", listed_status: "UNPAID" }],
      })
      expect(await on.rows()).toEqual([])
    })

    it.each([[null], ["invoice 7"], ["payses_"], ["see payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"], ["\0"]])(
      "and with the note %p belongs to another shop: counted, nothing else",
      async (note) => {
        await store.gateway.pay((await createAtGateway(note)).payment_request_id)
        expect(await on.reconcile()).toMatchObject({
          complete: true,
          counts: { listed: 1, others: 1 },
          rows: [],
        })
        expect(await on.rows()).toEqual([])
      }
    )
  })

  describe("with a server that", () => {
    const strays = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) {
        await createAtGateway(`${UNKNOWN_SESSION.slice(0, -2)}${String(i).padStart(2, "0")}`)
      }
    }

    it.each(["normal", "repeat_pages"])(
      "pages its list as %p, every request is seen, once",
      async (listBehaviour) => {
        await strays(12)
        await store.gateway.change({ listBehaviour, listPageSize: 5 })
        const report = await on.reconcile()
        expect(report).toMatchObject({ complete: true, counts: { listed: 12, unknown_session: 12 } })
        expect(new Set(report.rows.map(({ payment_request_id }) => payment_request_id)).size).toBe(12)
      }
    )

    it("changes the order on each read, it ends and says so, and a later comparison sees what it missed", async () => {
      await strays(12)
      await store.gateway.change({ listBehaviour: "shuffle", listPageSize: 5 })
      const first = await on.reconcile()
      expect([first.complete, first.incomplete_because]).toEqual([
        false,
        [{ page: null, reason: "fewer_than_stated" }],
      ])
      const seen = new Set(first.rows.map(({ payment_request_id }) => payment_request_id))
      for (let run = 0; run < 5; run++) {
        const { rows } = await on.reconcile()
        rows.forEach(({ payment_request_id }) => seen.add(payment_request_id))
      }
      expect(seen.size).toBe(12)
    })

    it("ignores `page`, it ends and says that it has not seen everything", async () => {
      await strays(12)
      await store.gateway.change({ listBehaviour: "ignore_page", listPageSize: 5 })
      expect(await on.reconcile()).toMatchObject({
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
      const report = await on.reconcile()
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
    await on.reconcile()
    store.knex.off("query", listen)
    const perPage = statements.filter((sql) => sql.includes("jsonb_to_recordset"))
    expect(perPage).toHaveLength(3)
    // And one look for the rows the list lacks; what is due is the store's own tick asking.
    const ours = statements.filter(
      (sql) => sql.includes("crypto_payment_request") && !sql.includes("next_check_at <= now()")
    )
    expect(ours).toHaveLength(3 + 1)
  })
})
