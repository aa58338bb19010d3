import { describeAdminRoutes, withoutCustomer } from "../../support/admin-routes"

const ROUTES = [
  "",
  "/health",
  "/settings",
  "/settings/pp_crypto_default",
  "/balances",
  "/balances/AED",
  "/gateway-requests",
  "/export",
  "/settlements",
  "/settlements/export",
  "/reconciliation?provider_id=pp_crypto_default",
  "/reconciliation/export?provider_id=pp_crypto_default",
  "/cpreq_1",
]

describeAdminRoutes("the ledger over the admin routes", ({ store, get, post, rowOf, paid }) => {
  const ids = async (query: string): Promise<string[]> => {
    const { status, data } = await get(query)
    expect([status, data.message]).toEqual([200, undefined])
    expect(data.count).toBe(data.crypto_payments.length)
    return (data.crypto_payments as { id: string }[]).map(({ id }) => id)
  }

  it("answer 401 to nobody in particular, every one of them", async () => {
    for (const path of ROUTES) {
      expect([path, (await store.http.get(`/admin/crypto-payments${path}`)).status]).toEqual([path, 401])
    }
  })

  describe("the list", () => {
    it("shows a row with its order's number, and nothing only the ledger needs", async () => {
      const { row, checkout } = await paid()
      const { data } = await get("")
      expect(data).toMatchObject({
        count: 1,
        limit: 20,
        offset: 0,
        crypto_payments: [
          {
            id: row["id"],
            state: "captured",
            amount: "20.01",
            cart_id: checkout.cartId,
            order_id: row["order_id"],
            order_display_id: expect.any(Number),
            refunded_amount: "0.00",
          },
        ],
      })
      expect(Object.keys(data.crypto_payments[0])).not.toEqual(expect.arrayContaining(["payer_digest"]))
      expect(withoutCustomer(data.crypto_payments[0])).not.toMatch(
        /guest@example\.test|Aisha|lease_until|check_requested_at/
      )
    })

    it("finds by every whole id, by order number and by whole e-mail, and nothing else", async () => {
      const { row, checkout } = await paid("Payer.One@example.test")
      await store.shopper().checkout({ email: "other@example.test" })
      const [{ display_id }] = await store.knex("order").where({ id: row["order_id"] }).select("display_id")
      for (const q of [
        row.id,
        String(row["payment_request_id"]),
        checkout.session.id,
        checkout.cartId,
        String(row["order_id"]),
        String(row["ref_id"]),
        `#${String(display_id)}`,
        String(display_id),
        "payer.one@example.test",
        "PAYER.one@EXAMPLE.test",
      ]) {
        expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, [row["id"]]])
      }
      for (const q of [row.id.slice(0, -1), "payer.one@", "Aisha", "Aisha Rahman"]) {
        expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, []])
      }
    })

    it("finds nothing for hostile words, and breaks nothing", async () => {
      await store.shopper().checkout()
      for (const q of [
        "%",
        "_",
        "x'; DROP TABLE crypto_payment_request; --",
        "\\",
        "#99999999999",
        "%%@%",
        "ab",
      ]) {
        expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, []])
      }
      expect(await ids("")).toHaveLength(1)
    })

    it("filters by state, status, currency, order, provider, attention and time", async () => {
      const { row } = await paid()
      const open = await rowOf(await store.shopper().checkout({ email: "other@example.test" }))
      await store.knex("crypto_payment_request").where({ id: open["id"] }).update({
        attention_reason: "orphan_paid",
        attention_since: new Date(),
      })
      const expected: [string, unknown[]][] = [
        ["?state=captured", [row["id"]]],
        ["?state[]=captured&state[]=open&order=created_at", [row["id"], open["id"]]],
        ["?status=PAID", [row["id"]]],
        ["?currency=aed", []],
        ["?currency=usd&order=-created_at", [open["id"], row["id"]]],
        [`?order_id=${String(row["order_id"])}`, [row["id"]]],
        ["?provider_id=pp_crypto_other", []],
        ["?attention=open", [open["id"]]],
        ["?attention=orphan_paid", [open["id"]]],
        ["?attention=amount_mismatch", []],
        ["?attention=resolved", []],
        ["?attention=none", [row["id"]]],
        ["?created_at[$gte]=2999-01-01", []],
        ["?created_at[$lt]=2999-01-01&order=created_at", [row["id"], open["id"]]],
        ["?coin=BTC", [row["id"]]],
        ["?coin[]=ETH&coin[]=USDT", []],
        ["?paid_at[$lt]=2999-01-01", [row["id"]]],
        ["?coin=none", [open["id"]]],
        ["?coin[]=BTC&coin[]=none&order=created_at", [row["id"], open["id"]]],
        ["?paid_at[$gte]=2999-01-01", []],
        ["?received_currency=aed", []],
        ["?received_currency[]=AED&received_currency[]=USD&order=created_at", [row["id"], open["id"]]],
        ["?refunded_at[$lt]=2999-01-01", []],
      ]
      for (const [query, found] of expected) {
        expect([query, await ids(query)]).toEqual([query, found])
      }
    })

    it("pages, and sorts by amount as a number", async () => {
      await store.shopper().checkout()
      const [first] = await store.knex("crypto_payment_request").select()
      for (const [index, amount] of ["9.50", "100.00"].entries()) {
        const { id: _id, payment_request_id: _request, payment_collection_id: _collection, ...copy } = first
        await store.knex("crypto_payment_request").insert({
          ...copy,
          id: `cpreq_copy${String(index)}`,
          payment_request_id: `copy${String(index)}`,
          amount,
          state: "closed",
        })
      }
      const { data } = await get("?order=-amount&limit=2")
      expect(data.crypto_payments.map(({ amount }: { amount: string }) => amount)).toEqual([
        "100.00",
        "20.01",
      ])
      expect(data).toMatchObject({ count: 3, limit: 2, offset: 0 })
      const next = await get("?order=-amount&limit=2&offset=2")
      expect(next.data.crypto_payments).toMatchObject([{ amount: "9.50" }])
    })

    it("sums up all rows of the filter, requested and received by the currency of each, where it is asked", async () => {
      const { row } = await paid()
      const other = await paid("other@example.test")
      await store.shopper().checkout({ email: "open@example.test", currency: "aed" })
      await store.knex("crypto_payment_request").where({ id: other.row["id"] }).update({
        gateway_currency_symbol: "AED",
        gateway_amount: "5.00000000000000",
        payment_currency: "ETH",
      })
      await post(`/${row.id}/refunds`, { amount: "2.00", reference: "tx-1" })
      const { data } = await get("?totals=true&limit=1")
      expect(data.totals).toEqual([
        {
          currency_code: "aed",
          count: 1,
          amount: "73.50",
          paid_count: 1,
          received: "5.00000000000000",
          refunded: "0",
        },
        {
          currency_code: "usd",
          count: 2,
          amount: "40.02",
          paid_count: 1,
          received: "20.01000000000000",
          refunded: "2.00",
        },
      ])
      expect([data.coins, data.crypto_payments.length]).toEqual([["BTC", "ETH"], 1])
      const ofBtc = await get("?totals=true&coin=BTC")
      expect(ofBtc.data.totals).toMatchObject([{ currency_code: "usd", count: 1, paid_count: 1 }])
      expect((await get("?state=refunded&totals=true")).data.totals).toEqual([])
      const { data: plain } = await get("")
      expect([plain.totals, plain.coins]).toEqual([undefined, undefined])
      store.leavesDamage("a row whose received currency was changed by hand")
    })

    it("answers 400 to what it does not know", async () => {
      for (const query of [
        "?limit=0",
        "?limit=201",
        "?offset=-1",
        "?order=payer_digest",
        "?order=id;drop",
        "?state=nonsense",
        "?unknown=1",
        "?created_at[$gte]=yesterday-ish",
        "?attention=Open'--",
        "?totals=yes",
        "?paid_at[$gte]=yesterday-ish",
        "?refunded_at[$gte]=yesterday-ish",
        "?refunded_at=2026-10-08",
        "?received_currency=",
        "?created_at[$gte]=5",
        "?created_at[$gte]=1899-12-31",
        "/health?unknown=1",
        "/audit?unknown=1",
        "/settings?unknown=1",
      ]) {
        expect([query, (await get(query)).status]).toEqual([query, 400])
      }
      const { status, data } = await post("/cpreq_1/settle", { unknown: 1 })
      expect([status, data.message]).toEqual([400, expect.stringContaining("unknown")])
      // The field that is wrong is named.
      expect((await get("/settlements?from=x")).data.message).toMatch(/from and to/)
      expect((await get("?attention=Open")).data.message).toMatch(/attention/)
    })
  })
})
