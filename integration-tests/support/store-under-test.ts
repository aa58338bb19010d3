import path from "node:path"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { MedusaContainer } from "@medusajs/framework/types"
import type { AuditReport } from "../../.medusa/server/src/http-contract"
import { AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/checks/audits"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import reconcileAtNight from "../../.medusa/server/src/jobs/reconcile-gateway-list"
import reconcilePaymentRequests from "../../.medusa/server/src/jobs/reconcile-payment-requests"
import { settleWorker } from "../../.medusa/server/src/workflows/settle-worker"
import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { adminOf, logIn } from "./admin-api"
import { GatewayControl } from "./gateway-control"
import { releaseHeldRows } from "./held-row"
import { RunningStore } from "./running-store"
import { untilTrue, waitUntil } from "./wait-until"

export const SECRET_KEY = "integration-secret"
const TOKEN = "integration-token"
const STORE = path.resolve(__dirname, "../../examples/store")
/** The same store, with a second plugin's middlewares and workflow hooks in its own `src`. */
export const STORE_WITH_OTHER_PLUGIN = path.resolve(__dirname, "../other-plugin")
/** The same store, with a route and a workflow of its own that complete carts. */
export const STORE_WITH_OWN_COMPLETION = path.resolve(__dirname, "../own-completion")

/** A real store with the built plugin on a real Postgres, with the sandbox as its gateway. */
export class StoreUnderTest extends RunningStore {
  /** Why this test leaves the store as no store ought to be; undefined when it does not. */
  damage: string | undefined

  get gateway(): GatewayControl {
    return new GatewayControl(sandbox.url)
  }
  get webhookUrl(): string {
    return `${String(this.http.defaults.baseURL)}/hooks/payment/crypto_default`
  }
  /** The sandbox's address as `baseUrl` takes it. */
  get gatewayBaseUrl(): string {
    return sandbox.baseUrl
  }

  /** Runs the job that Medusa runs every minute, and waits until nothing is left to the worker that it wakes. */
  runSchedule = async (): Promise<void> => {
    await reconcilePaymentRequests(this.container)
    await untilTrue(() => settleWorker.isIdle)
  }

  /** Runs the nightly job, and waits until it has compared the list of each provider. */
  compareListsAtNight = async ({ hour = 3 } = {}): Promise<void> => {
    const providers = await this.container
      .resolve<CryptoPaymentsModuleService>("cryptoPayments")
      .settings.listConfigured()
    const { rows } = await this.knex.raw<{ rows: [{ now: Date }] }>("SELECT now()")
    const countEnded = async (): Promise<number> => {
      const ended = this.knex("crypto_payment_reconciliation").whereNotNull("finished_at")
      return (await ended.where("started_at", ">=", rows[0].now).select("id")).length
    }
    const clock = jest.spyOn(Date.prototype, "getHours").mockReturnValue(hour)
    await reconcileAtNight(this.container)
    clock.mockRestore()
    await waitUntil(countEnded, (ended) => ended === providers.length)
    await this.untilQuiet()
  }

  /** This test leaves the store as no store ought to be: the audit after it would find that. */
  leavesDamage(why: string): void {
    this.damage = why
  }

  readonly asAdmin = adminOf(this)
  /** Headers of the store's admin user. */
  admin = () => logIn(this)
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

/** What the example store reads as it boots; a function makes it when the sandbox is there. */
type Environment = Record<string, string> | (() => Promise<Record<string, string>>)

/** By the store's folder and its options: the store of this spec file, which all its suites share. */
let configuration: string | undefined
const store = new StoreUnderTest()
let sandbox: Sandbox

/**
 * A suite on a running store, which all suites of a jest file share: a file may import others of the same options. Each
 * test begins with the seeded database and a sandbox that holds nothing, and ends when the work it began has ended.
 *
 * @param environment set before the store boots, for options the example store reads
 * @param cwd the store's folder
 */
export function describeStore(
  name: string,
  testSuite: (store: StoreUnderTest) => void,
  environment: Environment = {},
  cwd = STORE
): void {
  useStore(environment, cwd)
  describe(name, () => {
    beforeEach(async () => {
      store.damage = undefined
      await store.reset()
      await store.gateway.reset()
      await store.gateway.setWebhook(store.webhookUrl)
    })
    testSuite(store)
    afterEach(async () => {
      await releaseHeldRows()
      await store.untilQuiet()
      if (store.damage === undefined && !(await isEmpty(store.knex))) {
        const { findings, incomplete } = await audit(store.container)
        expect({ findings, incomplete }).toEqual({ findings: [], incomplete: [] })
      }
    })
  })
}

/** Called while jest collects the tests, so that the store is there for the whole file. */
function useStore(environment: Environment, cwd: string): void {
  const wanted = [
    typeof environment === "function" ? environment.name : JSON.stringify(environment),
    cwd,
  ].join()
  if (configuration !== undefined) {
    if (configuration !== wanted) {
      throw new Error("One jest file has one store: put suites with other options into another file.")
    }
    return
  }
  configuration = wanted
  beforeAll(async () => {
    sandbox = await startSandbox({ port: 0, secretKey: SECRET_KEY, auth: { bearerToken: TOKEN } })
    Object.assign(process.env, {
      ADMIN_DISABLED: "true",
      CRYPTO_PAYMENTS_BASE_URL: sandbox.baseUrl,
      CRYPTO_PAYMENTS_SECRET_KEY: SECRET_KEY,
      CRYPTO_PAYMENTS_TOKEN: TOKEN,
      ...(typeof environment === "function" ? await environment() : environment),
    })
    await store.start(cwd)
  })
  afterAll(async () => {
    await store.stop()
    await sandbox.close()
  })
}
