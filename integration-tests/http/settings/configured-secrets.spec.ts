import { startSandbox, type Sandbox } from "../../../dist/sandbox"
import { settingsDesk } from "../../support/admin-api"
import { readEndState } from "../../support/end-state"
import { GatewayControl } from "../../support/gateway-control"
import { settleDue } from "../../support/settle-due"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"
import { callGateway, startStranger, type StrangersAddress } from "../../support/strangers-address"

const PROVIDER = "pp_crypto_default"
const TOKEN = "integration-token"
const KEY = Buffer.alloc(32, 1).toString("base64")

let stranger: StrangersAddress
/** Gateways that medusa-config allows. */
let other: Sandbox
let next: Sandbox

beforeAll(async () => {
  stranger = await startStranger()
  const gateway = { port: 0, secretKey: SECRET_KEY, auth: { bearerToken: TOKEN } }
  ;[other, next] = await Promise.all([startSandbox(gateway), startSandbox(gateway)])
})

afterAll(async () => {
  stranger.close()
  await Promise.all([other.close(), next.close()])
})

beforeEach(() => {
  stranger.heard.length = 0
})

describeStore(
  "secrets of medusa-config, which gives no address",
  (store) => {
    const { get, post } = settingsDesk(store)

    beforeEach(async () => {
      process.env["CRYPTO_PAYMENTS_ENCRYPTION_KEY"] = KEY
      await get()
    })

    it("are not sent to one that is typed into the admin, saved or tested", async () => {
      const form = { base_url: stranger.baseUrl }
      for (const answer of [await post({ version: 0, ...form }), await post(form, "/check")]) {
        const { status, data } = answer
        expect([status, data]).toEqual([
          400,
          expect.objectContaining({
            code: "origin_not_allowed",
            fields: ["base_url"],
            message: expect.stringContaining("allowedOrigins"),
          }),
        ])
      }
      expect(await callGateway(store)).toBe(400)
      expect(stranger.heard).toEqual([])
      expect(await store.knex("crypto_payment_settings").select()).toEqual([])
    })

    it("are not sent to one that was saved before that was refused, and the provider says why", async () => {
      await store.knex("crypto_payment_settings").insert({
        id: "cpset_old",
        provider_id: PROVIDER,
        version: 1,
        values: JSON.stringify({ base_url: stranger.baseUrl }),
        secrets: "{}",
      })
      expect((await get()).data.settings).toMatchObject({
        configured: false,
        missing: ["secret_key", "auth.token"],
        problem_code: "address_not_allowed",
        problem: expect.stringContaining("allowedOrigins"),
      })
      expect(await callGateway(store)).toBe(400)
      expect(stranger.heard).toEqual([])
      // Other settings can still be saved.
      expect((await post({ version: 1, timeout_ms: 3000 })).status).toBe(200)
    })

    it("are sent to one that medusa-config allows", async () => {
      const saved = await post({ version: 0, base_url: other.baseUrl })
      expect([saved.status, saved.data.settings?.configured]).toEqual([200, true])
      expect((await post({}, "/check")).data.ok).toBe(true)
      const { session } = await store.shopper().checkout()
      const row = await store.knex("crypto_payment_request").where({ session_id: session.id }).first()
      expect(row.gateway_origin).toBe(new URL(other.baseUrl).origin)
    })

    it("go to the next one that medusa-config allows, and no more to the one that was left", async () => {
      await post({ version: 0, base_url: other.baseUrl })
      const { session, cartId } = await store.shopper().checkout()
      const move = { version: 1, base_url: next.baseUrl }
      expect((await post(move)).data).toMatchObject({
        code: "origin_change_unconfirmed",
        open_requests: 1,
        former_origin: new URL(other.baseUrl).origin,
      })
      const moved = await post({ ...move, confirm_origin_change: true })
      expect(moved.data.settings).toMatchObject({ configured: true, former_origins: [] })
      const former = new GatewayControl(other.url)
      await former.pay(session.data.payment_request_id)
      const before = await former.calls()
      await settleDue(store)
      expect(await former.calls()).toEqual(before)
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
      expect(await store.knex("crypto_payment_request").select()).toMatchObject([
        { state: "closed", failure: "former_address", attention_reason: null },
      ])
    })
  },
  async () =>
    await Promise.resolve({
      CRYPTO_PAYMENTS_BASE_URL: "",
      CRYPTO_PAYMENTS_ENCRYPTION_KEY: KEY,
      CRYPTO_PAYMENTS_ALLOWED_ORIGINS: [other, next].map(({ baseUrl }) => new URL(baseUrl).origin).join(","),
    })
)
