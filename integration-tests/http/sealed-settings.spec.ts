import { createCipheriv, createHash, randomBytes } from "node:crypto"
import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { PAID_OK, readEndState } from "../support/end-state"
import { notificationData, signedBody } from "../support/notification"
import { settleDue } from "../support/settle-due"
import { describeStore, SECRET_KEY } from "../support/store-under-test"
import { callGateway, settingsDesk, startStranger, type StrangersAddress } from "../support/strangers-address"

const PROVIDER = "pp_crypto_default"
const TOKEN = "integration-token"
const KEY = Buffer.alloc(32, 1)

let stranger: StrangersAddress
/** A gateway that the merchant has an account at as well. */
let other: Sandbox

beforeAll(async () => {
  stranger = await startStranger()
  other = await startSandbox({ port: 0, secretKey: SECRET_KEY, auth: { bearerToken: TOKEN } })
})

afterAll(async () => {
  stranger.close()
  await other.close()
})

beforeEach(() => {
  stranger.heard.length = 0
})

const NOTHING_GIVEN = {
  CRYPTO_PAYMENTS_BASE_URL: "",
  CRYPTO_PAYMENTS_SECRET_KEY: "",
  CRYPTO_PAYMENTS_TOKEN: "",
  CRYPTO_PAYMENTS_ENCRYPTION_KEY: KEY.toString("base64"),
}

describeStore(
  "secrets that were saved for an address",
  (store) => {
    const complete = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
      version: 0,
      base_url: store.gatewayBaseUrl,
      secret_key: SECRET_KEY,
      auth: { type: "bearer", token: TOKEN },
      ...changes,
    })
    const settings = (): ReturnType<typeof store.knex> => store.knex("crypto_payment_settings")
    /** Sealed as the plugin did before texts were bound to an origin. */
    const sealAsBefore = (secret: string, field: string): string => {
      const id = createHash("sha256")
        .update("medusa-payment-crypto key id")
        .update(KEY)
        .digest("hex")
        .slice(0, 8)
      const nonce = randomBytes(12)
      const cipher = createCipheriv("aes-256-gcm", KEY, nonce)
      cipher.setAAD(Buffer.from(JSON.stringify(["v1", id, PROVIDER, field])))
      const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()])
      return ["v1", id, nonce.toString("base64url"), sealed.toString("base64url")].join(".")
    }
    const { get, post } = settingsDesk(store)

    /** Another address in what is saved, in both spellings of it. */
    const withAddress = (address: string) =>
      store.knex.raw(
        "jsonb_set(plain || jsonb_build_object('base_url', ?::text), '{options,baseUrl}', to_jsonb(?::text))",
        [address, address]
      )

    beforeEach(async () => {
      await get() // Forgets what the test before had saved.
    })

    it("are not sent to another one that is written into the database, and the provider says why", async () => {
      await post(complete())
      await settings().update({
        plain: withAddress(stranger.baseUrl),
        bound_base_url: stranger.baseUrl,
      })
      const { settings: view } = (await get()).data
      expect(view).toMatchObject({
        configured: false,
        problem_code: "address_changed",
        problem: expect.stringContaining("somebody changed it outside the admin"),
        missing: ["secret_key", "auth.token"],
      })
      expect(await callGateway(store)).toBe(400)
      // A notification signed with a key of that address cannot be trusted.
      const forged = await fetch(store.webhookUrl, {
        method: "POST",
        body: signedBody(notificationData("x")),
      })
      expect(forged.status).toBe(503)
      expect(stranger.heard).toEqual([])
      expect((await get("/health")).data.encryption_key.state).toBe("present")

      // Its owner gives the right address and all secrets again.
      const asked = await post({ version: 1, base_url: store.gatewayBaseUrl })
      expect(asked.data).toMatchObject({ code: "secrets_required", fields: ["auth.token", "secret_key"] })
      const saved = await post(complete({ version: 1 }))
      expect(saved.data.settings).toMatchObject({ configured: true, problem: null, problem_code: null })
      expect((await store.shopper().checkout()).session.id).toBeDefined()
      expect(stranger.heard).toEqual([])
    })

    it("are not sent to one that is written next to a removed one, or without a bound one", async () => {
      await post(complete())
      const old = { base_url: stranger.baseUrl, auth_type: "bearer" }
      const planted = [old, { options: { baseUrl: stranger.baseUrl, auth: { type: "bearer" } } }]
      for (const bound_base_url of [null, store.gatewayBaseUrl, "", "no address"]) {
        for (const plain of planted) {
          await settings().update({ plain: JSON.stringify(plain), bound_base_url })
          expect((await get()).data.settings).toMatchObject({ configured: false })
          expect(await callGateway(store)).toBe(400)
        }
      }
      expect(stranger.heard).toEqual([])
    })

    it("are not sent to a former connection whose address is changed, and no row becomes paid there", async () => {
      await post(complete())
      const { cartId } = await store.shopper().checkout()
      const { status } = await post(
        complete({ version: 1, base_url: other.baseUrl, confirm_origin_change: true })
      )
      expect(status).toBe(200)
      const { origin } = new URL(stranger.baseUrl)
      const changes = [{ base_url: stranger.baseUrl }, { base_url: stranger.baseUrl, origin }]
      for (const change of changes) {
        await store.knex("crypto_payment_connection").update(change)
        await store
          .knex("crypto_payment_request")
          .update({ next_check_at: new Date(0), ...(change.origin ? { gateway_origin: origin } : {}) })
        await get()
        await settleDue(store)
      }
      expect(stranger.heard).toEqual([])
      expect((await readEndState(store.knex, cartId)).captures).toEqual([])
    })

    it("by an older version are used at that address, and sealed for it by the next save", async () => {
      await settings().insert({
        id: "cpset_old",
        provider_id: PROVIDER,
        version: 7,
        plain: JSON.stringify({ base_url: store.gatewayBaseUrl, auth_type: "bearer" }),
        secrets: JSON.stringify({
          secret_key: [sealAsBefore(SECRET_KEY, "secret_key")],
          "auth.token": [sealAsBefore(TOKEN, "auth.token")],
        }),
        bound_base_url: store.gatewayBaseUrl,
      })
      await get()
      const { cartId, session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      expect(await store.gateway.notify(session.data.payment_request_id)).toEqual([200])
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)

      // Only there.
      const changed = withAddress(stranger.baseUrl)
      const [before] = await settings().select("plain")
      await settings().update({ plain: changed })
      expect((await get()).data.settings).toMatchObject({ configured: false, problem_code: "elsewhere" })
      expect(await callGateway(store)).toBe(400)
      expect(stranger.heard).toEqual([])

      await settings().update({ plain: JSON.stringify(before.plain) })
      expect((await post({ version: 7, timeout_ms: 3000 })).data.settings.configured).toBe(true)
      const { secrets } = await settings().first()
      expect(Object.values(secrets as Record<string, string[]>).flat()).toEqual([
        expect.stringMatching(/^v2\./),
        expect.stringMatching(/^v2\./),
      ])
      await settings().update({ plain: changed, bound_base_url: stranger.baseUrl })
      expect((await get()).data.settings).toMatchObject({ problem_code: "address_changed" })
      expect(await callGateway(store)).toBe(400)
      expect(stranger.heard).toEqual([])
    })

    it("by an older version for a former address are used there, and sealed for it by the next save", async () => {
      await post(complete())
      const { cartId, session } = await store.shopper().checkout()
      await post(complete({ version: 1, base_url: other.baseUrl, confirm_origin_change: true }))
      const { origin } = new URL(store.gatewayBaseUrl)
      const connection = { auth: { type: "bearer", token: TOKEN }, secret_keys: [SECRET_KEY] }
      await store
        .knex("crypto_payment_connection")
        .update({ sealed: sealAsBefore(JSON.stringify(connection), `connection ${origin}`) })
      await post({ version: 2, timeout_ms: 3000 })
      expect(await store.knex("crypto_payment_connection").pluck("sealed")).toEqual([
        expect.stringMatching(/^v2\./),
      ])
      await store.gateway.pay(session.data.payment_request_id)
      expect(await store.gateway.notify(session.data.payment_request_id)).toEqual([200])
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toEqual(PAID_OK)
    })
  },
  NOTHING_GIVEN
)
