import { once } from "node:events"
import { connect, createServer, type AddressInfo, type Server } from "node:net"
import { startSandbox, type Sandbox } from "../../../dist/sandbox"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PROVIDER } from "../../support/admin-api"
import { PAID_OK, readEndState } from "../../support/end-state"
import { settleDue } from "../../support/settle-due"
import { describeSettings, SECRET_KEY_OF_OTHER } from "../../support/settings-under-test"
import { SECRET_KEY } from "../../support/store-under-test"
import { readTimeline } from "../../support/timeline"

const FORMER = "https://former.example"

describeSettings("settings saved in the admin", ({ store, get, post, complete, stored }) => {
  /** Another account, with payments and secrets of its own. */
  let other: Sandbox
  /** The same gateway at another address. */
  let mirror: Server

  beforeAll(async () => {
    other = await startSandbox({
      port: 0,
      secretKey: SECRET_KEY_OF_OTHER,
      auth: { bearerToken: "other-token" },
    })
    mirror = createServer((socket) => {
      const gateway = connect(Number(new URL(store.gatewayBaseUrl).port), "127.0.0.1")
      socket.pipe(gateway).pipe(socket)
      gateway.on("error", () => socket.destroy())
      socket.on("error", () => gateway.destroy())
    })
    await once(mirror.listen(0, "127.0.0.1"), "listening")
  })

  afterAll(async () => {
    mirror.close()
    await other.close()
  })

  const origin = (): string => new URL(store.gatewayBaseUrl).origin
  const mirrored = (): string =>
    store.gatewayBaseUrl.replace(
      origin(),
      `http://127.0.0.1:${String((mirror.address() as AddressInfo).port)}`
    )
  const rows = async (): Promise<Record<string, unknown>[]> =>
    await store.knex("crypto_payment_request").orderBy("created_at").select()
  const toOther = (changes: Record<string, unknown> = {}) =>
    complete({
      version: 1,
      base_url: other.baseUrl,
      secret_key: SECRET_KEY_OF_OTHER,
      auth: { type: "bearer", token: "other-token" },
      ...changes,
    })
  const toMirror = (changes: Record<string, unknown> = {}) =>
    complete({ version: 1, base_url: mirrored(), secret_key: SECRET_KEY, ...changes })

  describe("for another origin", () => {
    it("ask for every secret, then whose the open payments are", async () => {
      await post(complete())
      await store.shopper().checkout()
      const asked = await post({ version: 1, base_url: other.baseUrl })
      expect(asked.data).toMatchObject({ code: "secrets_required", fields: ["auth.token", "secret_key"] })
      expect((await post({ base_url: other.baseUrl }, "/check")).data.code).toBe("secrets_required")
      for (const unconfirmed of [await post(toOther()), await post(toOther({ same_account: true }))]) {
        expect([unconfirmed.status, unconfirmed.data]).toEqual([
          409,
          expect.objectContaining({
            code: "origin_change_unconfirmed",
            open_requests: 1,
            former_origin: origin(),
            message: expect.stringContaining("1 open payment request was made"),
          }),
        ])
      }
      expect((await stored()).version).toBe(1)
    })

    it("ask again about an address that was in use again after its account was named", async () => {
      const back = { base_url: store.gatewayBaseUrl, secret_key: SECRET_KEY, confirm_origin_change: true }
      await post(complete())
      await post(toOther({ confirm_origin_change: true }))
      expect((await post(complete({ ...back, version: 2 }))).status).toBe(200)
      await store.shopper().checkout()
      const asked = await post(toMirror({ version: 3 }))
      expect([asked.status, asked.data]).toEqual([
        409,
        expect.objectContaining({ code: "origin_change_unconfirmed", former_origin: origin() }),
      ])
      await post(toMirror({ version: 3, confirm_origin_change: true, same_account: true }))
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await rows()).toMatchObject([{ state: "open", failure: null }])
    })

    it("ask nothing when no payment is open", async () => {
      await post(complete())
      expect((await post(toOther())).data.settings).toMatchObject({ configured: true, former_origins: [] })
    })

    it("close the open payments of another account, and read and trust nothing of it any more", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      const id = session.data.payment_request_id
      const saved = await post(toOther({ confirm_origin_change: true }))
      expect([saved.status, saved.data.settings.former_origins]).toEqual([200, []])
      const before = await store.gateway.calls()
      await store.gateway.pay(id)
      expect(await store.gateway.notify(id)).toEqual([401])
      await settleDue(store)
      expect(await store.gateway.calls()).toEqual(before)
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      expect(await rows()).toMatchObject([
        { state: "closed", failure: "former_address", paid_at: null, attention_reason: null },
      ])
      expect(await readTimeline(store, String((await rows())[0]?.["id"]))).toContainEqual({
        type: "closed",
        detail: { reason: "other_account" },
      })
      // New ones are made at the new origin.
      const next = await store.shopper().checkout({ email: "next@example.test" })
      expect(
        await store.knex("crypto_payment_request").where({ session_id: next.session.id }).first()
      ).toMatchObject({ gateway_origin: new URL(other.baseUrl).origin })
    })

    it("settle what was recorded as paid before, also when the account is another one", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      // Read and recorded; the process ends before it settles.
      const { requests, gateways } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const row = await requests.findBySession(session.id)
      expect((await gateways.check(row as NonNullable<typeof row>)).paid_at).not.toBeNull()
      await post(toOther({ confirm_origin_change: true }))
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("make a case of a payment of another account that a genuine notification reports", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      const id = session.data.payment_request_id
      await post(toOther({ confirm_origin_change: true, secret_key: SECRET_KEY }))
      await store.gateway.pay(id)
      expect(await store.gateway.notify(id)).toEqual([200])
      await settleDue(store)
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      expect(await rows()).toMatchObject([{ paid_at: null, attention_reason: "gateway_unreadable" }])
    })

    it.each(["of which a part has arrived", "whose word may mean PAID"])(
      "make a case of a payment of another account %s",
      async (what) => {
        await post(complete())
        const { session, cartId } = await store.shopper().checkout()
        const id = session.data.payment_request_id
        await (what.includes("part") ? store.gateway.payPart(id) : store.gateway.setStatus(id, "COMPLETED"))
        await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
        await settleDue(store)
        await post(toOther({ confirm_origin_change: true }))
        await settleDue(store)
        expect((await readEndState(store.knex, cartId)).captures).toEqual([])
        expect(await rows()).toMatchObject([{ state: "closed", attention_reason: "gateway_unreadable" }])
      }
    )

    it("move a closed link with the open ones, and find its payment at the new address", async () => {
      await post(complete())
      const { session } = await store.shopper().checkout()
      await store.knex("crypto_payment_request").update({ state: "closed" })
      await store.shopper().checkout({ email: "next@example.test" })
      expect((await post(toMirror())).data).toMatchObject({
        code: "origin_change_unconfirmed",
        open_requests: 1,
      })
      await post(toMirror({ confirm_origin_change: true, same_account: true }))
      await store.gateway.pay(session.data.payment_request_id)
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect((await rows())[0]?.["paid_at"]).not.toBeNull()
    })

    it("are refused for the same account when the new address has a payment with the id of an old one", async () => {
      await post(complete())
      await store.shopper().checkout()
      const [{ id: _id, session_id: _session, ...like } = {}] = await rows()
      await store.knex("crypto_payment_request").insert({
        ...like,
        ...{ id: "cpreq_taken", gateway_origin: new URL(mirrored()).origin, state: "closed" },
        ...{ session_id: "payses_taken", session_ids: ["payses_taken"], announcements: null },
      })
      const { status, data } = await post(toMirror({ confirm_origin_change: true, same_account: true }))
      expect([status, data.code]).toEqual([409, "not_same_account"])
      expect((await stored()).version).toBe(1)
      const origins = (await rows()).map(({ gateway_origin }) => gateway_origin)
      expect(new Set(origins)).toEqual(new Set([origin(), new URL(mirrored()).origin]))
    })

    it("read the payments of the same account at its new address", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      const saved = await post(toMirror({ confirm_origin_change: true, same_account: true }))
      expect([saved.status, saved.data.settings.former_origins]).toEqual([200, []])
      await store.gateway.pay(session.data.payment_request_id)
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
      expect(await rows()).toMatchObject([{ gateway_origin: new URL(mirrored()).origin }])
    })
  })

  describe("after medusa-config has changed the address", () => {
    /** As if medusa-config had given another one when the payment was made. */
    const moveAway = async (): Promise<void> => {
      await store
        .knex("crypto_payment_request")
        .update({ gateway_origin: FORMER, next_check_at: new Date(0) })
    }
    const answer = async (more: Record<string, unknown> = {}) =>
      await post({ version: (await stored()).version, confirm_origin_change: true, ...more })

    it("ask once for all open payments, which are neither read nor closed until then", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      await moveAway()
      await store.gateway.pay(session.data.payment_request_id)
      const before = await store.gateway.calls()
      await settleDue(store)
      expect(await store.gateway.calls()).toEqual(before)
      expect(await rows()).toMatchObject([
        { state: "open", failure: "former_address", paid_at: null, attention_reason: null },
      ])
      const former_origins = [{ origin: FORMER, open_requests: 1 }]
      expect((await get()).data.settings).toMatchObject({ configured: true, former_origins })
      expect((await get("/health")).data.providers).toMatchObject([{ provider_id: PROVIDER, former_origins }])
      const { data } = await get(`/${String((await rows())[0]?.["id"])}`)
      expect(data.crypto_payment.gateway_problem).toMatchObject({
        problem: "former_address",
        message: expect.stringContaining(FORMER),
      })
      // Other settings can be saved without an answer.
      expect((await post({ version: 1, timeout_ms: 3000 })).status).toBe(200)

      expect((await answer({ same_account: true })).data.settings.former_origins).toEqual([])
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("ask also for a payment that a notification reports: a case after an hour, captured once they are answered", async () => {
      await post(complete())
      const { session, cartId } = await store.shopper().checkout()
      const id = session.data.payment_request_id
      await moveAway()
      await store.gateway.pay(id)
      expect(await store.gateway.notify(id)).toEqual([200])
      await settleDue(store)
      expect(await rows()).toMatchObject([{ failure: "former_address", attention_reason: null }])
      await store.knex("crypto_payment_request").update({
        next_check_at: new Date(0),
        failing_since: store.knex.raw("now() - interval '61 minutes'"),
      })
      await settleDue(store)
      expect(await rows()).toMatchObject([{ paid_at: null, attention_reason: "gateway_unreadable" }])

      await answer({ same_account: true })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })

    it("are answered for another account: its payments are closed, and a shopper gets a new link", async () => {
      await post(complete())
      const shopper = store.shopper()
      const { cartId, collectionId } = await shopper.checkout()
      await moveAway()
      await answer()
      await settleDue(store)
      expect((await get("/health")).data.providers).toMatchObject([{ former_origins: [] }])
      const { status, data } = await shopper.openSession(collectionId)
      expect(status).toBe(200)
      const opened = (
        data.payment_collection.payment_sessions as { data: { payment_request_id: string } }[]
      )[0]
      await store.gateway.pay(String(opened?.data.payment_request_id))
      await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: ["20.01"],
        ledger: [
          { state: "closed", settled: false, attention: null },
          { state: "captured", settled: true, attention: null },
        ],
      })
    })
  })
})
