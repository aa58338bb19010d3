import path from "node:path"
import { medusaIntegrationTestRunner } from "@medusajs/test-utils"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { AxiosInstance } from "axios"
import type { AuditReport } from "../../.medusa/server/src/http-contract"
import { AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/audit/rules"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import reconcilePaymentRequests from "../../.medusa/server/src/jobs/reconcile-payment-requests"
import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { seedStore, type SeededStore } from "../../examples/store/src/seed"
import { GatewayControl } from "./gateway-control"
import { Shopper } from "./shopper"

export const SECRET_KEY = "integration-secret"
const TOKEN = "integration-token"
const STORE = path.resolve(__dirname, "../../examples/store")
/** The same store, with a second plugin's middlewares and workflow hooks in its own `src`. */
export const STORE_WITH_OTHER_PLUGIN = path.resolve(__dirname, "../other-plugin")

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
  /** This test leaves the store as no store ought to be: the audit after it would find that. */
  leavesDamage(why: string): void
  /** Headers of the store's admin user. */
  admin(): Promise<{ headers: Record<string, string> }>
}

/** No link was made and nothing was paid, so that no rule has anything to look at. */
async function isEmpty(knex: Knex): Promise<boolean> {
  const rows = await Promise.all([knex("crypto_payment_request").first("id"), knex("payment").first("id")])
  return rows.every((row) => row === undefined)
}

/** Every invariant, read from the database. Given all names, it is kept nowhere. */
async function audit(container: MedusaContainer): Promise<AuditReport> {
  const ledger = container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
  return await ledger.audits.run(AUDIT_RULE_NAMES)
}

/**
 * @param environment set before the store boots, for options the example store reads
 * @param cwd the store's folder
 */
export function describeStore(
  name: string,
  testSuite: (store: StoreUnderTest) => void,
  environment: Record<string, string> = {},
  cwd = STORE
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
      cwd,
      inApp: true,
      testSuite: ({ api, getContainer }) => {
        let seeded: SeededStore
        let damage: string | undefined
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
          leavesDamage: (why) => {
            damage = why
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
          damage = undefined
          await store.gateway.reset()
          await store.gateway.setWebhook(store.webhookUrl)
        })
        describe("", () => {
          testSuite(store)
          // Before Medusa's runner removes the rows.
          afterEach(async () => {
            if (damage === undefined && !(await isEmpty(store.knex))) {
              const { findings, incomplete } = await audit(getContainer())
              expect({ findings, incomplete }).toEqual({ findings: [], incomplete: [] })
            }
          })
        })
      },
    })
  })
}
