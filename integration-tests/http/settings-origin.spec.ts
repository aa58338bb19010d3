import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { HeldTimers } from "../support/held-timers"
import { readEndState, UNPAID } from "../support/end-state"
import { GatewayControl } from "../support/gateway-control"
import { settleDue } from "../support/settle-due"
import { describeSettings } from "../support/settings-under-test"
import { waitUntil } from "../support/wait-until"

describeSettings("settings saved in the admin", ({ store, post, complete }) => {
  const moveTo = async (other: Sandbox) =>
    await post(
      complete({
        version: 1,
        base_url: other.baseUrl,
        secret_key: "other-secret",
        auth: { type: "bearer", token: "t" },
        confirm_origin_change: true,
      })
    )

  describe("for another origin", () => {
    it("ask for every secret, then for a confirmation, and former rows live on at their own", async () => {
      const other = await startSandbox({
        port: 0,
        secretKey: "other-secret",
        auth: { bearerToken: "other-token" },
      })
      try {
        await post(complete())
        const { session, cartId } = await store.shopper().checkout()
        const id = session.data.payment_request_id
        const asked = await post({ version: 1, base_url: other.baseUrl })
        expect(asked.data).toMatchObject({ code: "secrets_required", fields: ["auth.token", "secret_key"] })
        expect((await post({ base_url: other.baseUrl }, "/check")).data.code).toBe("secrets_required")

        const change = complete({
          version: 1,
          base_url: other.baseUrl,
          secret_key: "other-secret",
          auth: { type: "bearer", token: "other-token" },
        })
        const unconfirmed = await post(change)
        expect([unconfirmed.status, unconfirmed.data]).toEqual([
          409,
          expect.objectContaining({
            code: "origin_change_unconfirmed",
            open_requests: 1,
            former_origin: new URL(store.gatewayBaseUrl).origin,
          }),
        ])
        const saved = await post({ ...change, confirm_origin_change: true })
        expect([saved.status, saved.data.rows_left_at_former_origin]).toEqual([200, 1])
        expect(saved.data.settings.former_origins).toEqual([
          { origin: new URL(store.gatewayBaseUrl).origin, open_requests: 1 },
        ])

        // The former row is read, verified and settled where it was created.
        await store.gateway.pay(id)
        expect(await store.gateway.notify(id)).toEqual([200])
        const order = await waitUntil(
          async () => await store.knex("crypto_payment_request").where({ cart_id: cartId }).first(),
          ({ settled_at }) => settled_at !== null
        )
        expect(order.order_id).not.toBeNull()
        // New ones are made at the new origin, and nothing of the old goes there.
        const next = await store.shopper().checkout({ email: "next@example.test" })
        const row = await store.knex("crypto_payment_request").where({ session_id: next.session.id }).first()
        expect(row.gateway_origin).toBe(new URL(other.baseUrl).origin)
      } finally {
        await other.close()
      }
    })

    it("do not keep a shopper waiting for one address after the other", async () => {
      const other = await startSandbox({ port: 0, secretKey: "other-secret", auth: { bearerToken: "t" } })
      try {
        await post(complete())
        const shopper = store.shopper()
        const { cartId } = await shopper.checkout()
        await moveTo(other)
        for (const gateway of [store.gateway, new GatewayControl(other.url)]) {
          await gateway.hold("read")
        }
        const patience = new HeldTimers("gateway/transport")
        await patience.fireUntilOver(shopper.complete(cartId))
        patience.end()
        // Eight seconds for both. With eight for each it takes sixteen, and core gives an edit's lock up after ten.
        expect(patience.firedMs).toEqual([4000, 4000])
        expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
      } finally {
        await other.close()
      }
    })

    it("are not read and not trusted at a former address that the merchant gives up", async () => {
      const other = await startSandbox({ port: 0, secretKey: "other-secret", auth: { bearerToken: "t" } })
      try {
        await post(complete())
        const { session, cartId } = await store.shopper().checkout()
        const id = session.data.payment_request_id
        const { origin } = new URL(store.gatewayBaseUrl)
        const changed = await moveTo(other)
        expect(changed.data.settings.former_origins).toEqual([{ origin, open_requests: 1 }])
        expect((await post({ origin: "https://none.example" }, "/forget-origin")).status).toBe(404)
        expect((await post({}, "/forget-origin")).status).toBe(400)

        const forgotten = await post({ origin }, "/forget-origin")
        expect([forgotten.status, forgotten.data.rows_left_at_former_origin]).toEqual([200, 1])
        expect(forgotten.data.settings).toMatchObject({ configured: true, former_origins: [] })
        expect(await store.knex("crypto_payment_connection").select()).toEqual([])
        expect((await post({ origin }, "/forget-origin")).status).toBe(404)

        await store.gateway.pay(id)
        const before = await store.gateway.calls()
        expect(await store.gateway.notify(id)).toEqual([401])
        const due = { next_check_at: new Date(0) }
        await store.knex("crypto_payment_request").update(due)
        await settleDue(store)
        expect(await store.gateway.calls()).toEqual(before)
        expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
        // What stays behind is not silent: after an hour it is a case.
        await store
          .knex("crypto_payment_request")
          .update({ ...due, failing_since: new Date(Date.now() - 2 * 3_600_000) })
        await settleDue(store)
        const row = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first()
        expect([row.paid_at, row.failure, row.attention_reason]).toEqual([null, "refused", "gateway_refuses"])
      } finally {
        await other.close()
      }
    })

    it("forget the former connection once no watched row needs it", async () => {
      await post(complete())
      await post(
        complete({
          version: 1,
          base_url: "https://other.example/api/v1",
          auth: { type: "bearer", token: "t" },
        })
      )
      expect(await store.knex("crypto_payment_connection").select()).toHaveLength(1)
      await store
        .knex("crypto_payment_connection")
        .update({ updated_at: new Date(Date.now() - 2 * 3_600_000) })
      expect((await post({ version: 2, timeout_ms: 2000 })).status).toBe(200)
      expect(await store.knex("crypto_payment_connection").select()).toEqual([])
    })
  })
})
