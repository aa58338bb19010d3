import type { AxiosResponse } from "axios"
import { reconcileGatewayList } from "../../../.medusa/server/src/workflows"
import { createAtGateway } from "../../support/gateway-requests"
import { ledgerRow, placePaidOrder } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

const UNKNOWN_SESSION = "payses_01JZZZZZZZZZZZZZZZZZZZZZZZ"

describeStore("the admin's search and reports", (store) => {
  const get = async (path: string): Promise<AxiosResponse> =>
    await store.http.get(`/admin/crypto-payments${path}`, await store.admin())
  const found = async (q: string): Promise<string[]> => {
    const { data } = await get(`?q=${encodeURIComponent(q)}`)
    return (data.crypto_payments as { id: string }[]).map(({ id }) => id)
  }

  describe("search", () => {
    it("finds a row by the note at the gateway, which names the first session of a link that was used again", async () => {
      const shopper = store.shopper()
      const { collectionId, session: first } = await shopper.checkout()
      const again = await shopper.openSession(collectionId)
      const { id } = await ledgerRow(store, readSession(again.data).id)
      const [payment] = await store.gateway.payments()
      expect(payment?.note).toBe(first.id)
      expect(await found(first.id)).toEqual([id])
      expect(await found(readSession(again.data).id)).toEqual([id])
      expect(await found(readSession(again.data).id.slice(0, 20))).toEqual([])
    })

    it("finds an id with the mark that the CSV puts in front of it", async () => {
      const { session } = await store.shopper().checkout()
      const { id, payment_request_id } = await ledgerRow(store, session.id)
      expect(await found(`'${String(payment_request_id)}`)).toEqual([id])
    })

    it("finds a paid request of a session that nobody knows by its note", async () => {
      const { payment_request_id } = await createAtGateway(UNKNOWN_SESSION)
      await store.gateway.pay(payment_request_id)
      await reconcileGatewayList(store.container, { provider_id: "pp_crypto_default" })
      await settleDue(store)
      expect(await found(UNKNOWN_SESSION)).toHaveLength(1)
    })

    it("finds an amount and an order's number as people write them", async () => {
      const { id, orderId } = await placePaidOrder(store)
      const { session } = await store.shopper().checkout({ currency: "aed" })
      const other = await ledgerRow(store, session.id)
      const { display_id } = await store.knex("order").where({ id: orderId }).first("display_id")
      const number = String(display_id)
      const inArabic = number.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩".charAt(Number(digit)))
      for (const typed of [
        "20.01",
        "20,01",
        "$20.01",
        "usd 20.01",
        "٢٠٫٠١",
        `#${number}`,
        `طلب ${inArabic}`,
      ]) {
        expect([typed, await found(typed)]).toEqual([typed, [id]])
      }
      expect(await found(other.amount)).toEqual([other.id])
      expect(await found("$73.50")).toEqual([])
    })

    it("answers with nothing found to an e-mail of 300 characters", async () => {
      const { status, data } = await get(`?q=${"x".repeat(300)}@example.test`)
      expect([status, data.count]).toEqual([200, 0])
    })
  })

  describe("settlements", () => {
    it.each([
      "US/Pacific-New",
      "IST",
      "BST",
      "PST",
      "CST",
      "EST",
      "CET",
      "Mars/Olympus",
      "+05:00",
      "Foo/Bar+3",
    ])("answer 400 to the time zone %s, and name the field", async (zone) => {
      const { status, data } = await get(`/settlements?time_zone=${encodeURIComponent(zone)}`)
      expect([status, data.message]).toEqual([400, expect.stringContaining("time_zone")])
      expect((await get(`/settlements/export?time_zone=${encodeURIComponent(zone)}`)).status).toBe(400)
    })

    it.each([
      "UTC",
      "GMT",
      "Asia/Dubai",
      "America/Los_Angeles",
      "Asia/Kolkata",
      "Asia/Calcutta",
      "Etc/GMT+5",
    ])("take the time zone %s", async (zone) => {
      expect((await get(`/settlements?time_zone=${encodeURIComponent(zone)}`)).status).toBe(200)
    })

    it("name a week or month by the days that were asked for", async () => {
      const { id } = await placePaidOrder(store)
      // A Wednesday.
      await store.knex("crypto_payment_request").where({ id }).update({ paid_at: "2026-10-14T12:00:00Z" })
      const periods = async (query: string): Promise<unknown> =>
        (await get(`/settlements?${query}`)).data.settlements.map(
          ({ period_start, period_end }: Record<string, string>) => [period_start, period_end]
        )
      expect(await periods("from=2026-10-14&to=2026-10-15&period=week")).toEqual([
        ["2026-10-14", "2026-10-15"],
      ])
      expect(await periods("from=2026-10-13&to=2026-11-01&period=week")).toEqual([
        ["2026-10-13", "2026-10-19"],
      ])
      expect(await periods("from=2026-10-01&to=2026-11-01&period=week")).toEqual([
        ["2026-10-12", "2026-10-19"],
      ])
      expect(await periods("from=2026-10-05&to=2026-10-20&period=month")).toEqual([
        ["2026-10-05", "2026-10-20"],
      ])
      expect(await periods("from=2026-09-01&to=2026-12-01&period=month")).toEqual([
        ["2026-10-01", "2026-11-01"],
      ])
    })

    it.each([
      ["day", "2026-10-16"],
      ["week", "2026-05-11"],
      ["month", "2025-11-01"],
    ])("begin with a whole %s where no day is asked for", async (period, from) => {
      const { data } = await get(`/settlements?period=${period}&to=2026-11-15`)
      expect(data).toMatchObject({ from, to: "2026-11-15" })
    })

    it.each(["from=0000-01-01", "to=0001-01-01&from=0000-12-31", "from=1899-12-31", "to=3000-01-01"])(
      "answer 400 to %s",
      async (query) => {
        expect((await get(`/settlements?${query}`)).status).toBe(400)
      }
    )
  })

  it("shows a payment of 0.001 that nobody knows with all its decimals", async () => {
    const { payment_request_id } = await createAtGateway(UNKNOWN_SESSION)
    await store.gateway.pay(payment_request_id)
    await store.gateway.bendRecord(payment_request_id, { fields: { amount: "0.00100000000000" } })
    await reconcileGatewayList(store.container, { provider_id: "pp_crypto_default" })
    await settleDue(store)
    const { data } = await get(`?q=${UNKNOWN_SESSION}`)
    expect(data.crypto_payments).toMatchObject([
      { amount: "0.001", gateway_amount: "0.00100000000000", attention_reason: "orphan_paid" },
    ])
  })

  describe("what the gateway does not have", () => {
    it("is a 404 with the gateway's words", async () => {
      const { status, data } = await get("/balances/XYZ")
      expect([status, data]).toEqual([
        404,
        {
          type: "not_found",
          code: "unknown_to_gateway",
          message: "The gateway answers that it does not have this.",
        },
      ])
    })

    it("shows no secret that the gateway's words quote", async () => {
      const { status, data } = await get("/balances/integration-token")
      expect([status, data.message]).toEqual([404, "The gateway answers that it does not have this."])
    })

    it("stays a 502 when a server answers that is not this API", async () => {
      await store.gateway.fail({ endpoint: "balances", kind: "html", status: 404 })
      const { status, data } = await get("/balances/AED")
      expect([status, data.code]).toEqual([502, "not_this_api"])
    })
  })
})
