import { PROVIDER, settingsDesk } from "./admin-api"
import { startServer } from "./http-server"
import { describeStore, SECRET_KEY, type StoreUnderTest } from "./store-under-test"

export const TOKEN = "integration-token"
export const KEY = Buffer.alloc(32, 1).toString("base64")
export const SECRET_KEY_OF_OTHER = "other-secret"
export const OTHER_KEY = Buffer.alloc(32, 2).toString("base64")
export const ENCRYPTION_KEY = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"

interface StoredSettings {
  version: number
  values: Record<string, unknown>
  secrets: Record<string, string[]>
}

let proxy: Awaited<ReturnType<typeof startServer>> | undefined
let target = ""
/** What the public address answers; "pass" leads to the store. */
const publicAddress = { url: () => String(proxy?.url), behave: "pass" as "pass" | "hang" | number }

/** A store whose provider has no settings but those that a test saves, and a public address of its own. */
const settingsUnderTest = (store: StoreUnderTest) => ({
  store,
  publicAddress,
  ...settingsDesk(store),
  /** A body that sets the provider up. */
  complete: (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
    version: 0,
    base_url: store.gatewayBaseUrl,
    secret_key: SECRET_KEY,
    auth: { type: "bearer", token: TOKEN },
    ...changes,
  }),
  stored: async (): Promise<StoredSettings> =>
    await store.knex("crypto_payment_settings").where({ provider_id: PROVIDER }).first(),
})

/** The options of the store, whose public address is there before the store is. */
async function settingsEnvironment(): Promise<Record<string, string>> {
  proxy = await startServer(async (request, body, response) => {
    const { behave } = publicAddress
    if (behave === "pass") {
      const headers = { "content-type": "application/json" }
      const answer = await fetch(`${target}${String(request.url)}`, { method: "POST", body, headers })
      response.writeHead(answer.status).end()
    } else if (behave !== "hang") {
      response.writeHead(behave, { location: "https://elsewhere.example/" }).end()
    }
  })
  return {
    CRYPTO_PAYMENTS_BASE_URL: "",
    CRYPTO_PAYMENTS_SECRET_KEY: "",
    CRYPTO_PAYMENTS_TOKEN: "",
    [ENCRYPTION_KEY]: KEY,
    CRYPTO_PAYMENTS_PUBLIC_URL: publicAddress.url(),
  }
}

afterAll(() => proxy?.close())

export function describeSettings(
  name: string,
  tests: (settings: ReturnType<typeof settingsUnderTest>) => void
): void {
  describeStore(
    name,
    (store) => {
      const settings = settingsUnderTest(store)
      beforeEach(async () => {
        process.env[ENCRYPTION_KEY] = KEY
        publicAddress.behave = "pass"
        jest.restoreAllMocks()
        target = String(store.http.defaults.baseURL)
        await settings.get() // Forgets what the test before had saved.
      })
      tests(settings)
    },
    settingsEnvironment
  )
}
