import { describeAdminRoutes } from "../../support/admin-routes"

describeAdminRoutes("the ledger over the admin routes", ({ store, get, post, paid }) => {
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

    it("shows the gateway's list next to our rows, with what differs", async () => {
      store.leavesDamage("a row whose requested amount was changed by hand")
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
      await post(`/${row.id}/refunds`, { amount: "5.00", reference: "tx-1" })
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
        not_captured_count: 0,
        not_captured: "0.00",
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
      expect(csv.headers["content-disposition"]).toMatch(
        /^attachment; filename="settlements-day-2026-10-01-to-2026-10-31\.csv"$/
      )
      expect(String(csv.data)).toBe(
        "period_start,last_day,currency_code,coin,count,gross,fees,buyer_fees,net,refund_count,refunded," +
          "not_captured_count,not_captured\r\n" +
          `2026-10-07,2026-10-07,usd,"'=BTC",1,20.01,0.2001,0.00,19.8099,1,5.00,0,0.00\r\n`
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
          // What still waits to be sent would come back as an array, which the driver does not write as JSON.
          announcements: null,
          announce_at: null,
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

    it("count what the list finds by the same days, received currency and coin", async () => {
      store.leavesDamage("rows whose received currency, coin and days were changed by hand")
      const days = { first: "2026-10-05T12:00:00Z", second: "2026-10-06T12:00:00Z" }
      const change = async (email: string, columns: Record<string, unknown>): Promise<string> => {
        const id = (await paid(email)).row.id
        await store
          .knex("crypto_payment_request")
          .where({ id })
          .update({ paid_at: days.first, ...columns })
        return id
      }
      const inAed = await change("aed@example.test", {
        gateway_currency_symbol: "AED",
        gateway_amount: "20.01000000000000",
      })
      const withoutCoin = await change("coin@example.test", { payment_currency: null })
      const emptyCoin = await change("empty@example.test", { payment_currency: "" })
      for (const [index, created_at] of [days.second, days.second, "2026-10-07T12:00:00Z"].entries()) {
        const reference = `tx-${String(index)}`
        await post(`/${withoutCoin}/refunds`, { amount: "1.00", reference })
        await store.knex("crypto_payment_refund").where({ reference }).update({ created_at })
      }
      const { data } = await get("/settlements?from=2026-10-05&to=2026-10-07")
      const figures = (rows: Record<string, unknown>[]): unknown =>
        rows.map(({ period_start, currency_code, coin, count, refund_count }) => [
          period_start,
          currency_code,
          coin,
          count,
          refund_count,
        ])
      expect(figures(data.settlements)).toEqual([
        ["2026-10-06", "usd", null, 0, 2],
        ["2026-10-05", "aed", "BTC", 1, 0],
        ["2026-10-05", "usd", null, 2, 0],
      ])
      const listed = async (filter: string): Promise<string[]> => {
        const { data: list } = await get(`?${filter}&order=created_at`)
        return (list.crypto_payments as { id: string }[]).map(({ id }) => id)
      }
      const within = (column: string, day: string): string =>
        `${column}[$gte]=${day}T00:00:00.000Z&${column}[$lte]=${day}T23:59:59.999Z`
      const first = within("paid_at", "2026-10-05")
      expect(await listed(`${first}&received_currency=aed&coin=BTC`)).toEqual([inAed])
      expect(await listed(`${first}&received_currency=usd&coin=none`)).toEqual([withoutCoin, emptyCoin])
      // Two refunds, of one payment.
      const refunded = `${within("refunded_at", "2026-10-06")}&received_currency=usd&coin=none`
      expect(await listed(refunded)).toEqual([withoutCoin])
      expect(await listed(within("refunded_at", "2026-10-05"))).toEqual([])
      expect((await get("?totals=true")).data.coins).toEqual(["BTC"])
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
})
