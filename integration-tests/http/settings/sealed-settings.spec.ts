import { settingsDesk } from "../../support/admin-api"
import { notificationData, signedBody } from "../../support/notification"
import { describeStore, SECRET_KEY } from "../../support/store-under-test"
import { callGateway, startStranger, type StrangersAddress } from "../../support/strangers-address"

const TOKEN = "integration-token"
const KEY = Buffer.alloc(32, 1).toString("base64")

let stranger: StrangersAddress

beforeAll(async () => {
  stranger = await startStranger()
})

afterAll(() => {
  stranger.close()
})

beforeEach(() => {
  stranger.heard.length = 0
})

const NOTHING_GIVEN = {
  CRYPTO_PAYMENTS_BASE_URL: "",
  CRYPTO_PAYMENTS_SECRET_KEY: "",
  CRYPTO_PAYMENTS_TOKEN: "",
  CRYPTO_PAYMENTS_ENCRYPTION_KEY: KEY,
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
    const { get, post } = settingsDesk(store)

    const withAddress = (baseUrl: string): string =>
      JSON.stringify({ base_url: baseUrl, auth_type: "bearer" })

    beforeEach(async () => {
      await get() // Forgets what the test before had saved.
    })

    it("are not sent to another one that is written into the database, and the provider says why", async () => {
      await post(complete())
      await settings().update({ values: withAddress(stranger.baseUrl) })
      const { settings: view } = (await get()).data
      expect(view).toMatchObject({
        configured: false,
        problem_code: "elsewhere",
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
  },
  NOTHING_GIVEN
)
