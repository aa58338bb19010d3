import { randomBytes } from "node:crypto"
import path from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { WorkflowScheduler } from "@medusajs/framework/orchestration"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
// oxlint-disable-next-line @medusajs/import-from-framework-not-internal -- the public runner makes a database per test
import { startApp } from "@medusajs/test-utils/dist/medusa-test-runner-utils/bootstrap-app"
import axios, { type AxiosInstance } from "axios"
import scrypt from "scrypt-kdf"
import type { AuditReport } from "../../.medusa/server/src/http-contract"
import { AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/checks/audits"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import reconcileAtNight from "../../.medusa/server/src/jobs/reconcile-gateway-list"
import reconcilePaymentRequests from "../../.medusa/server/src/jobs/reconcile-payment-requests"
import { settleWorker } from "../../.medusa/server/src/workflows/settle-worker"
import { startSandbox, type Sandbox } from "../../dist/sandbox"
import { seedStore, type SeededStore } from "../../examples/store/src/seed"
import { adminOf, logIn } from "./admin-api"
import { GatewayControl } from "./gateway-control"
import { releaseHeldRows } from "./held-row"
import { createDatabase, dropDatabase, keepRows, restoreRows } from "./seeded-database"
import { Shopper } from "./shopper"
import { untilNone, untilTrue, waitUntil } from "./wait-until"

export const SECRET_KEY = "integration-secret"
const TOKEN = "integration-token"
const STORE = path.resolve(__dirname, "../../examples/store")
/** The same store, with a second plugin's middlewares and workflow hooks in its own `src`. */
export const STORE_WITH_OTHER_PLUGIN = path.resolve(__dirname, "../other-plugin")
/** The same store, with a route and a workflow of its own that complete carts. */
export const STORE_WITH_OWN_COMPLETION = path.resolve(__dirname, "../own-completion")

/** Making a cart takes longer than paying for it, and most tests need one or two. */
const SEEDED_CARTS = 3

/**
 * The example store with the built plugin, started in this process as `medusa start` starts it, on a seeded database of
 * its own, with the sandbox as its gateway. No scheduled job runs by itself: only a test ticks.
 */
export class StoreUnderTest {
  /** Why this test leaves the store as no store ought to be; undefined when it does not. */
  damage: string | undefined
  container!: MedusaContainer
  seeded!: SeededStore
  /** The store's HTTP interface; answers of every status are returned, none is thrown. */
  http!: AxiosInstance
  private readonly database = `store_${randomBytes(6).toString("hex")}`
  private shutdown!: () => Promise<void>
  private readonly seededCarts: string[] = []
  /** Those that this test has not taken yet. */
  private carts: string[] = []

  get knex(): Knex {
    return this.container.resolve<Knex>(ContainerRegistrationKeys.PG_CONNECTION)
  }

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

  async start(directory: string): Promise<void> {
    process.env["DATABASE_URL"] = await createDatabase(this.database)
    const { container, port, shutdown } = await startApp({ cwd: directory })
    Object.assign(this, { container, shutdown })
    await new WorkflowScheduler().clear()
    this.http = axios.create({ baseURL: `http://localhost:${String(port)}`, validateStatus: () => true })
    this.seeded = await seedStore(container)
    await this.makeLoginsCheap()
    // One after the other: core makes the guest's customer with the first cart.
    for (let cart = 0; cart < SEEDED_CARTS; cart++) {
      this.seededCarts.push(await this.shopper().cart())
    }
    await this.untilQuiet()
    await keepRows(this.knex)
  }

  /** A guest. Their carts are those of the seeded database, as long as it has any. */
  shopper = (): Shopper => new Shopper(this.http, this.seeded, () => this.carts.shift())

  async reset(): Promise<void> {
    await restoreRows(this.knex)
    // The settings of the test before may have been read a moment ago.
    const ledger = this.container.resolve<CryptoPaymentsModuleService | undefined>("cryptoPayments", {
      allowUnregistered: true,
    })
    ledger?.settings.invalidate()
    this.carts = [...this.seededCarts]
  }

  /**
   * Waits until everything that the test began has ended, so that what did not happen by then does not happen: its
   * settles, its workflows, its subscribers. Settles that were to follow later are forgotten.
   */
  untilQuiet = async (): Promise<void> => {
    await untilNone(async () => {
      settleWorker.cancelTimers()
      const isBusy = !settleWorker.isIdle || !(await this.isDatabaseIdle())
      return isBusy ? ["busy"] : await this.unfinishedWorkflows()
    })
  }

  async stop(): Promise<void> {
    await this.shutdown()
    await dropDatabase(this.database)
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

  /** Checking a password against core's usual hash keeps a core busy for a tenth of a second. */
  private async makeLoginsCheap(): Promise<void> {
    const hash = await scrypt.kdf(this.seeded.admin.password, { logN: 1, r: 1, p: 1 })
    await this.knex("provider_identity").update({
      provider_metadata: { password: Buffer.from(hash).toString("base64") },
    })
  }

  /** A subscriber that runs uses a connection again and again, with little between. */
  private async isDatabaseIdle(): Promise<boolean> {
    const { pool } = this.knex.client as { pool: { numUsed(): number; numPendingAcquires(): number } }
    for (let look = 0; look < 5; look++) {
      if (pool.numUsed() > 0 || pool.numPendingAcquires() > 0) {
        return false
      }
      await delay(1)
    }
    return true
  }

  private async unfinishedWorkflows(): Promise<unknown[]> {
    return await this.knex("workflow_execution")
      .whereNotIn("state", ["not_started", "done", "reverted", "failed"])
      .whereNull("deleted_at")
      .select("workflow_id", "transaction_id", "state")
  }
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
