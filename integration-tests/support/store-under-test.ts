import path from "node:path"
import { medusaIntegrationTestRunner } from "@medusajs/test-utils"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { AxiosInstance } from "axios"
import reconcilePaymentRequests from "../../.medusa/server/src/jobs/reconcile-payment-requests"
import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { seedStore, type SeededStore } from "../../examples/store/src/seed"
import { GatewayControl } from "./gateway-control"
import { Shopper } from "./shopper"

export const SECRET_KEY = "integration-secret"
const TOKEN = "integration-token"
const STORE = path.resolve(__dirname, "../../examples/store")

/** A real store with the built plugin on a real Postgres, with the sandbox as its gateway. */
export interface StoreUnderTest {
  readonly knex: Knex
  readonly container: MedusaContainer
  readonly gateway: GatewayControl
  readonly seeded: SeededStore
  /** The store's HTTP interface; answers of every status are returned, none is thrown. */
  readonly http: AxiosInstance
  readonly webhookUrl: string
  /** The sandbox's address as `baseUrl` takes it. */
  readonly gatewayBaseUrl: string
  shopper(): Shopper
  /** Runs the job that Medusa runs every minute. */
  runSchedule(): Promise<void>
  /** Headers of the store's admin user. */
  admin(): Promise<{ headers: Record<string, string> }>
}

/** @param environment set before the store boots, for options the example store reads */
export function describeStore(
  name: string,
  testSuite: (store: StoreUnderTest) => void,
  environment: Record<string, string> = {}
): void {
  describe(name, () => {
    let sandbox: Sandbox
    beforeAll(async () => {
      sandbox = await startSandbox({ port: 0, secretKey: SECRET_KEY, auth: { bearerToken: TOKEN } })
      Object.assign(process.env, {
        ADMIN_DISABLED: "true",
        CRYPTO_PAYMENTS_BASE_URL: sandbox.baseUrl,
        CRYPTO_PAYMENTS_SECRET_KEY: SECRET_KEY,
        CRYPTO_PAYMENTS_TOKEN: TOKEN,
        ...environment,
      })
    })
    afterAll(async () => {
      await sandbox.close()
      for (const key of Object.keys(environment)) {
        Reflect.deleteProperty(process.env, key)
      }
    })

    medusaIntegrationTestRunner({
      cwd: STORE,
      inApp: true,
      testSuite: ({ api, getContainer }) => {
        let seeded: SeededStore
        const http = api as AxiosInstance
        const store: StoreUnderTest = {
          http,
          get knex() {
            return getContainer().resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
          },
          get container() {
            return getContainer()
          },
          get gateway() {
            return new GatewayControl(sandbox.url)
          },
          get seeded() {
            return seeded
          },
          get webhookUrl() {
            return `${String(http.defaults.baseURL)}/hooks/payment/crypto_default`
          },
          get gatewayBaseUrl() {
            return sandbox.baseUrl
          },
          runSchedule: async () => {
            await reconcilePaymentRequests(getContainer())
          },
          shopper: () => new Shopper(http, seeded),
          admin: async () => {
            const { data } = await http.post<{ token: string }>("/auth/user/emailpass", seeded.admin)
            return { headers: { authorization: `Bearer ${data.token}` } }
          },
        }
        beforeAll(async () => {
          http.defaults.validateStatus = () => true
          seeded = await seedStore(getContainer())
        })
        beforeEach(async () => {
          await store.gateway.reset()
          await store.gateway.setWebhook(store.webhookUrl)
        })
        testSuite(store)
      },
    })
  })
}
