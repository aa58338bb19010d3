import type { AxiosResponse } from "axios"
import { describeAdminRoutes, withoutCustomer } from "../../support/admin-routes"
import { waitUntil } from "../../support/wait-until"

describeAdminRoutes("the ledger over the admin routes", ({ store, get, post, rowOf, paid }) => {
  describe("one row", () => {
    it("comes with its timeline, refunds, order, cart and the gateway's record without the payer", async () => {
      const { row, checkout } = await paid()
      await post(`/${row.id}/refunds`, { amount: "5.00", reference: "tx-1" })
      const { status, data } = await get(`/${row.id}`)
      expect(status).toBe(200)
      expect(data.crypto_payment).toMatchObject({
        id: row["id"],
        refunded_amount: "5.00",
        refundable_amount: "15.01",
        owed: null,
        refunds: [{ amount: "5.00", reference: "tx-1", state: "applied" }],
        order: { id: row["order_id"], canceled_at: null },
        cart: { id: checkout.cartId },
        gateway_record: { payment_status: "PAID", amount: "20.01000000000000", currency_symbol: "USD" },
        gateway_problem: null,
      })
      const types = data.crypto_payment.activities.map(({ type }: { type: string }) => type)
      expect(types[0]).toBe("created")
      expect(types).toEqual(expect.arrayContaining(["paid", "captured", "settled", "refund"]))
      expect(withoutCustomer(data.crypto_payment)).not.toMatch(
        /guest@example\.test|Aisha|Rahman|payer_digest/
      )
    })

    it("says who registered, checked and resolved, by the name Medusa has of them", async () => {
      const { row } = await paid()
      const id = row.id
      await store.knex("user").update({ first_name: "Dema", last_name: "Q" })
      await post(`/${id}/refunds`, { amount: "5.00", reference: "tx-1" })
      await store.knex("crypto_payment_request").where({ id }).update({
        attention_reason: "orphan_paid",
        attention_since: new Date(),
      })
      await post(`/${id}/resolve`, { note: "done" })
      const open = await rowOf(await store.shopper().checkout({ email: "other@example.test" }))
      await store.gateway.pay(String(open["payment_request_id"]))
      await post(`/${open.id}/settle`)
      const actorOf = async (of: unknown, type: string): Promise<unknown> => {
        const { data } = await get(`/${String(of)}?live=false`)
        const found = (data.crypto_payment.activities as { type: string; actor: unknown }[]).filter(
          (activity) => activity.type === type
        )
        return found.at(-1)?.actor
      }
      const [user] = await store.knex("user").select("id")
      const actor = { id: user.id, name: "Dema Q" }
      expect(await actorOf(id, "refund")).toEqual(actor)
      expect(await actorOf(id, "resolved")).toEqual(actor)
      expect(await actorOf(open["id"], "checked")).toEqual(actor)
      expect(await actorOf(open["id"], "captured")).toBeNull()

      const key = {
        id: "apk_nightly",
        title: "Nightly tool",
        type: "secret",
        token: "t",
        salt: "s",
        redacted: "r",
      }
      await store.knex("api_key").insert({ ...key, created_by: user.id })
      const notes = store.knex("crypto_payment_activity").where({ request_id: id, type: "resolved" })
      await notes.update({ detail: { note: "done", by: key.id } })
      expect(await actorOf(id, "resolved")).toEqual({ id: key.id, name: key.title })
    })

    it("keeps a case open that has replaced the one that the user has seen", async () => {
      const { row } = await paid()
      const id = row.id
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({
          attention_reason: "paid_without_order",
          attention_since: store.knex.raw("clock_timestamp()"),
        })
      const seen = (await get(`/${id}?live=false`)).data.crypto_payment.attention_since as string
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({ attention_since: store.knex.raw("attention_since + interval '1 second'") })
      const resolve = async (attention_since: string) =>
        await post(`/${id}/resolve`, { note: "done", attention_since })
      const refused = await resolve(seen)
      expect([refused.status, refused.data.code]).toEqual([400, "no_open_case"])
      const now = (await get(`/${id}?live=false`)).data.crypto_payment.attention_since as string
      const { status, data } = await resolve(now)
      expect([status, data.crypto_payment.attention_note]).toEqual([200, "done"])
    })

    it("says of a refund that is registered again that it was there already", async () => {
      const { row } = await paid()
      const register = async (): Promise<AxiosResponse> =>
        await post(`/${row.id}/refunds`, { amount: "5.00", reference: "tx-1" })
      expect((await register()).data.already_registered).toBe(false)
      const { data } = await register()
      expect([data.already_registered, data.crypto_payment.refunded_amount]).toEqual([true, "5.00"])
    })

    it("asks nobody with live=false", async () => {
      const row = await rowOf(await store.shopper().checkout())
      const before = await store.gateway.calls()
      const { data } = await get(`/${row.id}?live=false`)
      expect(data.crypto_payment).toMatchObject({ gateway_record: null, gateway_problem: null })
      expect(await store.gateway.calls()).toHaveLength(before.length)
    })

    it("says in words that the gateway is down, and shows the row", async () => {
      const row = await rowOf(await store.shopper().checkout())
      await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
      const { status, data } = await get(`/${row.id}`)
      expect([status, data.crypto_payment.gateway_record]).toEqual([200, null])
      expect(data.crypto_payment.gateway_problem).toMatchObject({ problem: "unreachable" })
    })

    it("is a 404 when there is none", async () => {
      expect((await get("/cpreq_nobody")).status).toBe(404)
    })
  })

  describe("a check that somebody asked for", () => {
    const settle = async (id: string): Promise<unknown> => (await post(`/${id}/settle`)).data.check

    it("says that the gateway was read, and whether that changed anything", async () => {
      const checkout = await store.shopper().checkout()
      const { id } = await rowOf(checkout)
      expect(await settle(id)).toMatchObject({ gateway: "read" })
      expect(await settle(id)).toEqual({ gateway: "read", changed: false })
      await store.gateway.pay(checkout.session.data.payment_request_id)
      expect(await settle(id)).toEqual({ gateway: "read", changed: true })
    })

    it.each([
      ["unreadable", 503],
      ["refused", 401],
    ] as const)(
      "says %s of a gateway that could not be read, on an unpaid payment and on a paid case",
      async (gateway, status) => {
        const unpaid = await rowOf(await store.shopper().checkout())
        const checkout = await store.shopper().checkout()
        await store.gateway.pay(checkout.session.data.payment_request_id, { amount: "20.00" })
        await store.gateway.notify(checkout.session.data.payment_request_id)
        const paidCase = await waitUntil(
          async () => await rowOf(checkout),
          ({ attention_reason }) => attention_reason === "amount_mismatch"
        )
        await store.gateway.fail({ endpoint: "read", kind: "status", status, times: 100 })
        expect(await settle(unpaid["id"])).toMatchObject({ gateway })
        expect(await settle(paidCase["id"])).toEqual({ gateway, changed: false })
      }
    )

    it("is refused while another settle keeps the payment", async () => {
      const { id } = await rowOf(await store.shopper().checkout())
      await settle(id)
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({ lease_until: store.knex.raw("now() + interval '1 minute'"), lease_id: "cplea_other" })
      const { status, data } = await post(`/${id}/settle`)
      expect([status, data.code]).toEqual([400, "being_settled"])
    })
  })
})
