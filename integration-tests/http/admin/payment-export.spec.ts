import { once } from "node:events"
import { get as request, type IncomingMessage } from "node:http"
import { createInterface } from "node:readline"
import { FeatureFlag } from "@medusajs/framework/utils"
import type { AxiosResponse } from "axios"
import { CapturedOutput } from "../../support/captured-output"
import { logInWithRole } from "../../support/log-in-with-role"
import { endOf, ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

// Medusa's test runner reads medusa-config, which leaves out the module of roles without the flag, before it reads flags.
FeatureFlag.setFlag("rbac", true)

const EXPORT = "/admin/crypto-payments/export"
const HEADER =
  "order_display_id,order_id,id,created_at,paid_at,captured_at,amount,currency_code,received_currency,gross,fees," +
  "buyer_fees,fee_paid_by,net,refunded,coin,coin_amount,rate,state,provider_id,payment_request_id,ref_id,customer_email"

type Line = Record<string, string>

/** Reads a file of cells without quotes inside; those have a test of their own. */
function linesOf(file: unknown): Line[] {
  const [header, ...lines] = String(file).replace("\uFEFF", "").trimEnd().split("\r\n")
  const columns = header?.split(",") ?? []
  return lines.map((line) =>
    Object.fromEntries(
      line.split(",").map((cell, index) => [columns[index], cell.replace(/^"'(.*)"$/, "$1")])
    )
  )
}

/** Adds up decimals of at most fourteen digits after the point, exactly. */
function sumOf(lines: Line[], column: string): string {
  return String(lines.map((line) => BigInt(units(line[column]))).reduce((sum, value) => sum + value, 0n))
}

/** In units of the fourteenth digit after the point. */
function units(decimal = ""): string {
  const [whole = "", fraction = ""] = decimal.split(".")
  return String(BigInt(`${whole}${fraction.padEnd(14, "0")}`))
}

describeStore(
  "the export of payments",
  (store) => {
    let headers: Record<string, string>
    const PERMISSIONS = ["payment:read", "payment:update", "refund:create", "order:read", "customer:read"]

    beforeEach(async () => {
      headers = await logInWithRole(store, PERMISSIONS)
    })

    const get = async (query = "", as = headers): Promise<AxiosResponse> =>
      await store.http.get(EXPORT + query, { headers: as })
    const lines = async (query = "", as = headers): Promise<Line[]> => {
      const { status, data } = await get(query, as)
      expect([status, data.message]).toEqual([200, undefined])
      return linesOf(data)
    }
    const ids = async (query: string): Promise<(string | undefined)[]> =>
      (await lines(query)).map(({ id }) => id)
    const refund = async (id: string, amount: string, created_at?: string): Promise<void> => {
      const reference = `tx of ${amount}`
      const url = `/admin/crypto-payments/${id}/refunds`
      expect((await store.http.post(url, { amount, reference }, { headers })).status).toBe(200)
      if (created_at !== undefined) {
        await store.knex("crypto_payment_refund").where({ request_id: id, reference }).update({ created_at })
      }
    }
    const change = async (id: string, columns: Record<string, unknown>): Promise<void> => {
      await store.knex("crypto_payment_request").where({ id }).update(columns)
    }
    /** A row of the ledger alone. @returns its id */
    const insert = async (id: string, columns: Record<string, unknown> = {}): Promise<string> => {
      store.leavesDamage("rows of the ledger alone, for their figures")
      await store.knex("crypto_payment_request").insert({
        id,
        provider_id: "pp_crypto_default",
        gateway_origin: "https://gateway.example",
        payment_request_id: `request_${id}`,
        session_id: `payses_${id}`,
        session_ids: [`payses_${id}`],
        amount: "20.01",
        currency_code: "usd",
        state: "captured",
        gateway_amount: "20.01",
        gateway_currency_symbol: "USD",
        paid_at: "2026-10-07T12:00:00Z",
        captured_at: "2026-10-07T12:00:05Z",
        created_at: "2026-10-07T11:00:00Z",
        ...columns,
      })
      return id
    }

    it("has the order, the times, the figures and the references of a paid payment", async () => {
      store.leavesDamage("a row whose times and figures were changed by hand")
      const { id, orderId } = await placePaidOrder(store)
      const [order] = await store.knex("order").where({ id: orderId }).select("display_id")
      await change(id, {
        created_at: "2026-10-07T21:29:59Z",
        paid_at: "2026-10-07T21:30:00Z",
        captured_at: "2026-10-07T21:30:01Z",
        gateway_amount: "20.01000000000000",
        fee_amount: "0.20010000000000",
        receiving_amount: "19.80990000000000",
        fee_paid_by: "MERCHANT",
        payment_currency: "BTC",
        payment_amount: "0.00031265625000",
        payment_request_id: "3f2a1b4c-0d5e-4f60-8a7b-9c0d1e2f3a4b",
        ref_id: "00042",
      })
      const answer = await get("?time_zone=Asia/Dubai&from=2026-10-08&to=2026-10-09")
      expect(answer.headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(answer.headers["content-disposition"]).toBe(
        'attachment; filename="payments-2026-10-08-to-2026-10-08.csv"'
      )
      expect(String(answer.data)).toBe(
        `${HEADER}\r\n${order.display_id},"'${orderId}","'${id}",2026-10-08 01:29:59,2026-10-08 01:30:00,` +
          "2026-10-08 01:30:01,20.01,usd,usd,20.01,0.2001,0.00,MERCHANT,19.8099,0.00,BTC,0.00031265625000,64000.00," +
          `captured,pp_crypto_default,"'3f2a1b4c-0d5e-4f60-8a7b-9c0d1e2f3a4b","'00042",guest@example.test\r\n`
      )
    })

    it("has no figures of an unpaid payment, and its order once there is one", async () => {
      const { session } = await store.shopper().checkout()
      const { id } = await ledgerRow(store, session.id)
      const nothing = { gross: "", fees: "", buyer_fees: "", net: "", coin: "", coin_amount: "", rate: "" }
      expect(await lines()).toMatchObject([
        { id, ...nothing, order_id: "", paid_at: "", captured_at: "", amount: "20.01", refunded: "0.00" },
      ])
      expect(await lines()).toMatchObject([{ state: "open", customer_email: "guest@example.test" }])
    })

    it("has what was refunded of a payment, of all and of a part of it", async () => {
      const whole = await placePaidOrder(store)
      await refund(whole.id, "20.01")
      const part = await placePaidOrder(store)
      await refund(part.id, "5.00")
      await refund(part.id, "1.50")
      expect(await lines()).toMatchObject([
        { id: part.id, state: "captured", gross: "20.01", refunded: "6.50", order_id: part.orderId },
        { id: whole.id, state: "refunded", gross: "20.01", refunded: "20.01", order_id: whole.orderId },
      ])
    })

    it("has what was received of a payment in another amount and currency than was asked for", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const paid = { currencySymbol: "AED", amount: "73.50", coin: "USDT" }
      await store.gateway.pay(session.data.payment_request_id, paid)
      await store.gateway.notify(session.data.payment_request_id)
      await endOf(store, cartId)
      expect(await lines()).toMatchObject([
        {
          ...{ amount: "20.01", currency_code: "usd", received_currency: "aed", gross: "73.50" },
          ...{ state: "paid", captured_at: "", coin: "USDT", order_id: "" },
        },
      ])
    })

    it("says what a coin was worth, with the fee that the payer paid in it", async () => {
      const fees = { fee_paid_by: "BUYER", fee_amount: "0.50", receiving_amount: "20.01" }
      await insert("cpreq_buyer", { ...fees, payment_amount: "10.255", payment_currency: "USDT" })
      await insert("cpreq_none", { payment_amount: "0.00", created_at: "2026-10-06T00:00:00Z" })
      expect(await lines()).toMatchObject([
        { gross: "20.01", fees: "0.00", buyer_fees: "0.50", net: "20.01", rate: "2.00" },
        { gross: "20.01", fees: "0.00", buyer_fees: "0.00", net: "20.01", rate: "" },
      ])
    })

    it("adds up to the settlements of the same days, to the last digit, also with refunds of other days' payments", async () => {
      store.leavesDamage("rows of the ledger alone, for their figures")
      const figures = [
        { gateway_amount: "73.50", fee_amount: "0.735", receiving_amount: "72.76", fee_paid_by: "MERCHANT" },
        { gateway_amount: "0.03", fee_amount: "0.00030000000001", receiving_amount: null },
        { gateway_amount: "10.00", fee_amount: "0.10", receiving_amount: "10.00", fee_paid_by: "BUYER" },
        { gateway_amount: "5.00", gateway_currency_symbol: "AED", state: "paid", captured_at: null },
        { gateway_amount: "7.00", provider_id: "pp_crypto_other" },
        // Neither counts: the one is unpaid, the other was paid a month before.
        { gateway_amount: "1000.00", paid_at: null, captured_at: null, state: "open" },
        { gateway_amount: "300.00", paid_at: "2026-09-30T12:00:00Z" },
        { gateway_amount: "300.00", paid_at: "2026-09-30T12:00:00Z" },
      ]
      for (const [index, columns] of figures.entries()) {
        await insert(`cpreq_${String(index)}`, columns)
      }
      await refund("cpreq_0", "20.00", "2026-10-31T23:59:59Z")
      await refund("cpreq_0", "30.00", "2026-11-01T00:00:00Z")
      await refund("cpreq_6", "100.00", "2026-10-01T00:00:00Z")
      await refund("cpreq_7", "50.00", "2026-09-30T23:59:59Z")
      const days = "from=2026-10-01&to=2026-11-01"
      expect((await ids(`?${days}`)).sort()).toEqual([0, 1, 2, 3, 4, 6].map((n) => `cpreq_${String(n)}`))

      for (const more of ["", "&provider_id=pp_crypto_other", "&time_zone=Pacific/Kiritimati"]) {
        const exported = await lines(`?${days}${more}`)
        const settled = await store.http.get(`/admin/crypto-payments/settlements?${days}${more}`, { headers })
        const totals = settled.data.totals as Record<string, string>[]
        expect(totals.length).toBeGreaterThan(0)
        for (const { currency_code, count, not_captured, ...total } of totals) {
          const of = exported.filter(({ received_currency }) => received_currency === currency_code)
          expect(of.filter(({ gross }) => gross !== "")).toHaveLength(Number(count))
          for (const column of ["gross", "fees", "buyer_fees", "net", "refunded"]) {
            expect([more, column, sumOf(of, column)]).toEqual([more, column, units(total[column])])
          }
          const waiting = of.filter(({ state }) => state === "paid")
          expect(sumOf(waiting, "gross")).toBe(units(not_captured))
        }
      }
      const usd = (await lines(`?${days}`)).filter(({ received_currency }) => received_currency === "usd")
      expect([sumOf(usd, "gross"), sumOf(usd, "refunded")]).toEqual([units("90.53"), units("120.00")])
      // Without days, everything counts.
      expect(sumOf(await lines(), "refunded")).toBe(units("200.00"))
    })

    it("begins and ends its days in the merchant's time zone, and omits neither border", async () => {
      await insert("cpreq_before", { paid_at: "2026-10-07T19:59:59.999Z" })
      await insert("cpreq_first", { paid_at: "2026-10-07T20:00:00Z" })
      await insert("cpreq_last", { paid_at: "2026-10-08T19:59:59.999999Z" })
      await insert("cpreq_after", { paid_at: "2026-10-08T20:00:00Z" })
      const dubai = await lines("?from=2026-10-08&to=2026-10-09&time_zone=Asia/Dubai")
      expect(dubai.map(({ id, paid_at }) => [id, paid_at])).toEqual([
        ["cpreq_last", "2026-10-08 23:59:59"],
        ["cpreq_first", "2026-10-08 00:00:00"],
      ])
      expect(await ids("?from=2026-10-08&to=2026-10-09")).toEqual(["cpreq_last", "cpreq_after"])
    })

    it("has the rows that the list shows for the same filters", async () => {
      await insert("cpreq_a", { payment_currency: "BTC", ref_id: "REF-77" })
      await insert("cpreq_b", { state: "paid", attention_reason: "orphan_paid", payment_currency: "USDT" })
      await insert("cpreq_c", { provider_id: "pp_crypto_other", paid_at: "2026-10-09T00:00:00Z" })
      await refund("cpreq_c", "1.00", "2026-10-10T00:00:00Z")
      for (const [query, found] of [
        ["q=REF-77", ["cpreq_a"]],
        ["q=REF-78", []],
        ["state=paid", ["cpreq_b"]],
        ["state[]=paid&state[]=captured", ["cpreq_a", "cpreq_b", "cpreq_c"]],
        ["attention=open", ["cpreq_b"]],
        ["coin=USDT", ["cpreq_b"]],
        ["coin=none", ["cpreq_c"]],
        ["currency=aed", []],
        ["received_currency=usd", ["cpreq_a", "cpreq_b", "cpreq_c"]],
        ["provider_id=pp_crypto_other", ["cpreq_c"]],
        ["paid_at[$gte]=2026-10-08T00:00:00Z", ["cpreq_c"]],
        ["created_at[$lt]=2026-10-07T00:00:00Z", []],
        ["refunded_at[$gte]=2026-10-10T00:00:00Z", ["cpreq_c"]],
        ["refunded_at[$gte]=2026-10-10T00:00:00Z&coin=BTC", []],
        ["from=2026-10-09&to=2026-10-10&state=captured", ["cpreq_c"]],
      ] as const) {
        expect([query, (await ids(`?${query}`)).sort()]).toEqual([query, found])
      }
    })

    it("says in its name which days it has: those that were asked for, else today", async () => {
      const nameOf = ({ headers: answered }: AxiosResponse): unknown => answered["content-disposition"]
      const { rows } = await store.knex.raw("SELECT to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS today")
      const { today } = rows[0] as { today: string }
      expect(nameOf(await get())).toBe(`attachment; filename="payments-${today}.csv"`)
      expect(nameOf(await get("?from=2026-11-01"))).toBe(
        `attachment; filename="payments-2026-11-01-to-${today}.csv"`
      )
    })

    it("keeps leading zeros, and gives a spreadsheet nothing to run", async () => {
      await insert("cpreq_1", {
        payment_request_id: "00123456789012345678",
        ref_id: '=HYPERLINK("https://evil.example","a,b\r\nc")',
        payment_currency: "+1",
        payment_amount: "2",
        fee_paid_by: "@SUM(A1)",
      })
      expect(String((await get()).data)).toBe(
        `${HEADER}\r\n,,"'cpreq_1",2026-10-07 11:00:00,2026-10-07 12:00:00,2026-10-07 12:00:05,20.01,usd,usd,20.01,` +
          `0.00,0.00,"'@SUM(A1)",20.01,0.00,"'+1",2,10.005,captured,pp_crypto_default,` +
          `"'00123456789012345678","'=HYPERLINK(""https://evil.example"",""a,b\r\nc"")",\r\n`
      )
    })

    it.each([
      ["from=2026-10-08&to=2026-10-08", "wrong_range"],
      ["from=1990-01-01", "wrong_range"],
      ["from=08.10.2026", undefined],
      ["time_zone=PST", "unknown_time_zone"],
      ["state=lost", undefined],
      ["limit=10", undefined],
    ])("answers 400 in JSON to ?%s", async (query, code) => {
      const { status, data, headers: answered } = await get(`?${query}`)
      expect([status, data.type, data.code]).toEqual([400, "invalid_data", code])
      expect(answered["content-disposition"]).toBeUndefined()
    })

    describe("of more lines than a page of it has", () => {
      const LINES = 100_000
      /** The first 20,000 have long references: what nobody reads does not fit into the buffers on the way. */
      const fill = async (count: number): Promise<void> => {
        store.leavesDamage("rows of the ledger alone, for their number")
        await store.knex.raw(
          `INSERT INTO crypto_payment_request
             (id, provider_id, gateway_origin, payment_request_id, session_id, session_ids, amount,
              currency_code, gateway_amount, state, paid_at, created_at, ref_id)
           SELECT 'cpreq_' || n, 'pp_crypto_default', 'x', 'many' || n, 'payses_' || n, ARRAY['payses_' || n],
                  '20.01', 'usd', '20.01', 'captured', now(),
                  -- Ten of them at a time: a page ends among rows of the same time.
                  timestamptz '2026-10-07' + (n / 10) * interval '1 microsecond',
                  repeat(md5(n::text), CASE WHEN n > ?::int - 20000 THEN 60 ELSE 1 END)
             FROM generate_series(1, ?::int) AS n`,
          [count, count]
        )
        await store.knex.raw("ANALYZE crypto_payment_request")
      }
      /** How many rows each statement of an export has read so far. */
      const watchPages = (): { pages: number[]; stop: () => void } => {
        const pages: number[] = []
        const listen = ({ rows }: { rows: unknown[] }, { sql }: { sql: string }): void => {
          if (sql.includes("AS customer_email")) {
            pages.push(rows.length)
          }
        }
        store.knex.on("query-response", listen)
        return { pages, stop: () => store.knex.off("query-response", listen) }
      }
      const open = async (): Promise<IncomingMessage> => {
        const url = new URL(EXPORT, store.webhookUrl)
        const [answer] = (await once(request(url, { headers }), "response")) as [IncomingMessage]
        return answer.pause()
      }

      it("reads a page at a time, waits for a slow reader, and has every row once", async () => {
        await fill(LINES)
        const { pages, stop } = watchPages()
        const answer = await open()
        expect([answer.statusCode, answer.headers["transfer-encoding"]]).toEqual([200, "chunked"])
        await store.untilQuiet()
        // Nobody reads: the store has stopped long before the end.
        expect(pages.length).toBeLessThan(15)
        const file = createInterface({ input: answer.setEncoding("utf8") })[Symbol.asyncIterator]()
        expect((await file.next()).value).toBe(`\uFEFF${HEADER}`)
        const ids = new Set<string | undefined>()
        let [count, gross] = [0, 0n]
        for await (const line of file) {
          const [exported] = linesOf(`${HEADER}\r\n${line}`)
          ids.add(exported?.["id"])
          gross += BigInt(units(exported?.["gross"]))
          count += 1
        }
        stop()
        expect(Math.max(...pages)).toBe(1000)
        expect([count, ids.size]).toEqual([LINES, LINES])
        expect(String(gross)).toBe(units("2001000.00"))
      })

      it("stops when the reader goes away, and logs no error", async () => {
        await fill(20_000)
        const output = new CapturedOutput(store)
        output.start()
        const { pages, stop } = watchPages()
        const answer = await open()
        answer.destroy()
        await store.untilQuiet()
        const read = pages.length
        expect(read).toBeLessThan(15)
        expect((await get("?q=many1")).status).toBe(200)
        await store.untilQuiet()
        stop()
        output.stop()
        expect(output.text).not.toMatch(/"level":"error"|was not written to its end/)
      })

      it("breaks the connection off when a later page fails, so that no part looks like the whole", async () => {
        await fill(1500)
        await change("cpreq_1", { gateway_amount: "no number" })
        const output = new CapturedOutput(store)
        output.start()
        const answer = await open()
        expect(answer.statusCode).toBe(200)
        const read = async (): Promise<void> => {
          for await (const _chunk of answer);
        }
        await expect(read()).rejects.toThrow("aborted")
        expect(answer.complete).toBe(false)
        await waitUntil(
          async () => await Promise.resolve(output.text),
          (text) => text.includes("crypto payments: a CSV file was not written to its end (22P02)")
        )
        output.stop()
        expect(output.text).not.toContain("no number")
      })

      it("answers in JSON when the first page fails", async () => {
        await fill(10)
        await change("cpreq_1", { gateway_amount: "no number" })
        const { status, data, headers: answered } = await get()
        expect([status, data.type]).toEqual([500, "unknown_error"])
        expect(answered["content-disposition"]).toBeUndefined()
      })
    })
  },
  { MEDUSA_FF_RBAC: "true" }
)

describeStore(
  "a role that may export payments",
  (store) => {
    it("is shown the customer and the order's id where the list shows them", async () => {
      const { id, orderId } = await placePaidOrder(store)
      const exported = async (headers: Record<string, string>, q: string): Promise<Line[]> =>
        linesOf((await store.http.get(EXPORT, { headers, params: { q } })).data)
      const hidden = { id, order_id: "", customer_email: "" }
      const shown = { id, order_id: orderId, customer_email: "guest@example.test" }
      const searches = ["guest@example.test", orderId]
      // Roles add up, and a login keeps those it was made with.
      const headers = await logInWithRole(store, ["payment:read"])
      expect(await exported(headers, id)).toMatchObject([hidden])
      for (const q of searches) {
        expect(await exported(headers, q)).toEqual([])
      }
      const reader = await logInWithRole(store, ["order:read", "customer:read"])
      for (const q of [id, ...searches]) {
        expect(await exported(reader, q)).toMatchObject([shown])
      }
    })
  },
  { MEDUSA_FF_RBAC: "true" }
)
