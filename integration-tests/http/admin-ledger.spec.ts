import type { AxiosResponse } from "axios"
import type { PreparedCheckout } from "../support/shopper"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const ROUTES = [
  "",
  "/health",
  "/settings",
  "/settings/pp_crypto_default",
  "/balances",
  "/balances/AED",
  "/gateway-requests",
  "/settlements",
  "/settlements/export",
  "/reconciliation?provider_id=pp_crypto_default",
  "/reconciliation/export?provider_id=pp_crypto_default",
  "/cpreq_1",
]

describeStore("the ledger over the admin routes", (store) => {
  let headers: Record<string, string>

  beforeEach(async () => {
    ;({ headers } = await store.admin())
  })

  const get = async (path: string): Promise<AxiosResponse> =>
    await store.http.get(`/admin/crypto-payments${path}`, { headers })
  const post = async (path: string, body: unknown = {}): Promise<AxiosResponse> =>
    await store.http.post(`/admin/crypto-payments${path}`, body, { headers })

  const rowOf = async ({ session }: PreparedCheckout): Promise<Record<string, unknown>> =>
    await store.knex("crypto_payment_request").where({ session_id: session.id }).first()

  /** A checkout that was paid, and whose order exists. */
  const paid = async (
    email?: string
  ): Promise<{ checkout: PreparedCheckout; row: Record<string, unknown> }> => {
    const checkout = await store.shopper().checkout(email === undefined ? {} : { email })
    const id = checkout.session.data.payment_request_id
    await store.gateway.pay(id, { coin: "BTC" })
    await store.gateway.notify(id)
    const row = await waitUntil(
      async () => await rowOf(checkout),
      ({ settled_at }) => settled_at !== null
    )
    return { checkout, row }
  }

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
      expect(JSON.stringify(data)).not.toMatch(/guest@example\.test|Aisha|lease_until|check_requested_at/)
    })

    it("finds by every id, by order number and by e-mail, and nothing else", async () => {
      const { row, checkout } = await paid("Payer.One@example.test")
      await store.shopper().checkout({ email: "other@example.test" })
      const [{ display_id }] = await store.knex("order").where({ id: row["order_id"] }).select("display_id")
      for (const q of [
        String(row["id"]),
        String(row["id"]).slice(0, 20),
        String(row["payment_request_id"]),
        checkout.session.id,
        checkout.cartId,
        String(row["order_id"]),
        String(row["ref_id"]),
        `#${String(display_id)}`,
        "payer.one@example.test",
        "PAYER.one@",
      ]) {
        expect([q, await ids(`?q=${encodeURIComponent(q)}`)]).toEqual([q, [row["id"]]])
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
      ]) {
        expect([query, (await get(query)).status]).toEqual([query, 400])
      }
    })
  })

  describe("one row", () => {
    it("comes with its timeline, refunds, order, cart and the gateway's record without the payer", async () => {
      const { row, checkout } = await paid()
      await post(`/${String(row["id"])}/refunds`, { amount: "5.00", reference: "tx-1" })
      const { status, data } = await get(`/${String(row["id"])}`)
      expect(status).toBe(200)
      expect(data.crypto_payment).toMatchObject({
        id: row["id"],
        refunded_amount: "5.00",
        refundable_amount: "15.01",
        refunds: [{ amount: "5.00", reference: "tx-1", state: "applied" }],
        order: { id: row["order_id"], canceled_at: null },
        cart: { id: checkout.cartId },
        gateway_record: { payment_status: "PAID", amount: "20.01000000000000", currency_symbol: "USD" },
        gateway_problem: null,
      })
      const types = data.crypto_payment.activities.map(({ type }: { type: string }) => type)
      expect(types[0]).toBe("created")
      expect(types).toEqual(expect.arrayContaining(["paid", "captured", "settled", "refund"]))
      expect(JSON.stringify(data)).not.toMatch(/guest@example\.test|Aisha|Rahman|payer_digest/)
    })

    it("asks nobody with live=false", async () => {
      const row = await rowOf(await store.shopper().checkout())
      const before = await store.gateway.calls()
      const { data } = await get(`/${String(row["id"])}?live=false`)
      expect(data.crypto_payment).toMatchObject({ gateway_record: null, gateway_problem: null })
      expect(await store.gateway.calls()).toHaveLength(before.length)
    })

    it("says in words that the gateway is down, and shows the row", async () => {
      const row = await rowOf(await store.shopper().checkout())
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      const { status, data } = await get(`/${String(row["id"])}`)
      expect([status, data.crypto_payment.gateway_record]).toEqual([200, null])
      expect(data.crypto_payment.gateway_problem).toMatchObject({ problem: "unreachable" })
    })

    it("is a 404 when there is none", async () => {
      expect((await get("/cpreq_nobody")).status).toBe(404)
    })
  })

  describe("live at the gateway", () => {
    it("shows balances exactly, all and one", async () => {
      const all = await get("/balances")
      expect(all.status).toBe(200)
      expect(all.data.provider_id).toBe("pp_crypto_default")
      const [first] = all.data.balances as { asset: string; value: string }[]
      expect(first?.value).toMatch(/^\d+\.\d{14}$/)
      const one = await get(`/balances/${String(first?.asset)}?provider_id=pp_crypto_default`)
      expect(one.data.balance).toEqual(first)
    })

    it("answers 400 to a symbol that is none, and 404 for another provider", async () => {
      expect((await get("/balances/..%2Fpayments")).status).toBe(400)
      expect((await get("/balances?provider_id=pp_crypto_nobody")).status).toBe(404)
    })

    it.each([
      ["unreachable", { kind: "status", status: 503 }],
      ["refused", { kind: "status", status: 401 }],
      ["not_this_api", { kind: "missing_flag" }],
    ] as const)("answers 502 with the problem: %s", async (code, fault) => {
      await store.gateway.fail({ endpoint: "any", ...fault })
      const { status, data } = await get("/balances")
      expect([status, data.code, data.type]).toEqual([502, code, "unexpected_state"])
      expect((await get("/gateway-requests")).data.code).toBe(code)
    })

    it("shows the gateway's list beside our rows, with what differs", async () => {
      const { row } = await paid()
      await store.knex("crypto_payment_request").where({ id: row["id"] }).update({ amount: "1.00" })
      const { status, data } = await get("/gateway-requests")
      expect(status).toBe(200)
      expect(data).toMatchObject({
        page: 1,
        count: 1,
        gateway_requests: [
          {
            payment_request_id: row["payment_request_id"],
            payment_status: "PAID",
            crypto_payment: { id: row["id"], amount: "1.00" },
            differences: ["amount"],
          },
        ],
      })
      expect(JSON.stringify(data)).not.toMatch(/guest@example\.test|Aisha/)
    })
  })

  describe("settlements", () => {
    it("sum up gross, fees, net and refunds by period, currency and coin", async () => {
      const { row } = await paid()
      const at = new Date("2026-10-07T21:30:00Z")
      await store.knex("crypto_payment_request").where({ id: row["id"] }).update({
        paid_at: at,
        gateway_amount: "20.01000000000000",
        fee_amount: "0.20010000000000",
        receiving_amount: "19.80990000000000",
        fee_paid_by: "MERCHANT",
        payment_currency: "=BTC",
      })
      await post(`/${String(row["id"])}/refunds`, { amount: "5.00", reference: "tx-1" })
      await store.knex("crypto_payment_refund").update({ created_at: at })
      const { data } = await get("/settlements?from=2026-10-01&to=2026-11-01&period=week")
      const sums = {
        currency_code: "usd",
        count: 1,
        gross: "20.01",
        fees: "0.2001",
        buyer_fees: "0.00",
        net: "19.8099",
        refund_count: 1,
        refunded: "5.00",
      }
      expect(data).toEqual({
        period: "week",
        time_zone: "UTC",
        from: "2026-10-01",
        to: "2026-11-01",
        settlements: [{ ...sums, period_start: "2026-10-05", period_end: "2026-10-12", coin: "=BTC" }],
        totals: [sums],
      })
      const dubai = await get("/settlements?from=2026-10-01&to=2026-11-01&time_zone=Asia/Dubai")
      expect(dubai.data.settlements[0].period_start).toBe("2026-10-08")
      expect((await get("/settlements?from=2026-10-08&to=2026-11-01")).data.settlements).toEqual([])

      const csv = await get("/settlements/export?from=2026-10-01&to=2026-11-01")
      expect(csv.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(csv.headers["content-disposition"]).toMatch(/^attachment; filename="settlements-day-2026-10-01/)
      expect(String(csv.data).split("\r\n")[1]).toBe(
        `2026-10-07,2026-10-08,usd,"'=BTC",1,20.01,0.2001,0.00,19.8099,1,5.00`
      )
    })

    it("add up to the last digit: gross is fees and net, and the total is its rows", async () => {
      store.leavesDamage("rows without any payment of Medusa's, for their figures only")
      // The gateway rounded, and what it kept is not its fee to the last digit.
      const figures = [
        {
          gateway_amount: "73.50000000000000",
          fee_amount: "0.73500000000000",
          receiving_amount: "72.76500000000000",
        },
        {
          gateway_amount: "73.50000000000000",
          fee_amount: "0.73500000000000",
          receiving_amount: "72.76000000000000",
        },
        { gateway_amount: "0.03000000000000", fee_amount: "0.00030000000001", receiving_amount: null },
        {
          gateway_amount: "10.00000000000000",
          fee_amount: "0.10000000000000",
          receiving_amount: "10.00000000000000",
          fee_paid_by: "BUYER",
        },
      ]
      const { row } = await paid()
      const { id: _id, payment_request_id: _request, payment_collection_id: _collection, ...copy } = row
      await store.knex("crypto_payment_request").delete()
      for (const [index, figure] of figures.entries()) {
        await store.knex("crypto_payment_request").insert({
          ...copy,
          ...figure,
          id: `cpreq_copy${String(index)}`,
          payment_request_id: `copy${String(index)}`,
          session_id: `payses_copy${String(index)}`,
          session_ids: [`payses_copy${String(index)}`],
          paid_session_id: null,
          payment_currency: `COIN${String(index)}`,
        })
      }
      const { data } = await get("/settlements")
      const sums = (rows: Record<string, string>[]): unknown =>
        rows.map(({ coin, gross, fees, net }) => [coin, gross, fees, net])
      expect(sums(data.settlements)).toEqual([
        ["COIN0", "73.50", "0.735", "72.765"],
        ["COIN1", "73.50", "0.74", "72.76"],
        ["COIN2", "0.03", "0.00030000000001", "0.02969999999999"],
        ["COIN3", "10.00", "0.00", "10.00"],
      ])
      expect(sums(data.totals)).toEqual([[undefined, "157.03", "1.47530000000001", "155.55469999999999"]])
    })

    it("answer 400 to what they do not know", async () => {
      for (const query of [
        "?from=2026-10-08&to=2026-10-08",
        "?period=year",
        "?time_zone=Mars/Olympus",
        "?from=08.10.2026",
      ]) {
        expect([query, (await get(`/settlements${query}`)).status]).toEqual([query, 400])
      }
    })
  })

  describe("reconciliation", () => {
    const provider_id = "pp_crypto_default"

    it("runs, is kept, and comes as a file", async () => {
      expect((await get(`/reconciliation/export?provider_id=${provider_id}`)).status).toBe(404)
      const { session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const { status, data } = await post("/reconciliation", { provider_id })
      expect([status, data.report.complete, data.report.counts.check_requested]).toEqual([200, true, 1])
      const kept = await get(`/reconciliation?provider_id=${provider_id}`)
      expect(kept.data).toEqual({ report: data.report, running_since: null })
      const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
      expect(String(csv.data)).toContain(`check_requested,${session.data.payment_request_id},PAID,cpreq_`)
    })

    it("runs once at a time, and says so", async () => {
      await store.shopper().checkout()
      await store.gateway.fail({ endpoint: "list", kind: "slow", delayMs: 1500, times: 1 })
      const first = post("/reconciliation", { provider_id })
      await waitUntil(
        async () => (await get(`/reconciliation?provider_id=${provider_id}`)).data.running_since as unknown,
        (since) => since !== null
      )
      const second = await post("/reconciliation", { provider_id })
      expect([second.status, second.data.code]).toEqual([409, "already_running"])
      expect((await first).status).toBe(200)
      expect((await post("/reconciliation", { provider_id })).status).toBe(200)
    })
  })
})
