import { randomBytes } from "node:crypto"
import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { WorkflowScheduler } from "@medusajs/framework/orchestration"
import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
// oxlint-disable-next-line @medusajs/import-from-framework-not-internal -- the public runner makes a database per test
import { startApp } from "@medusajs/test-utils/dist/medusa-test-runner-utils/bootstrap-app"
import axios, { type AxiosInstance } from "axios"
import scrypt from "scrypt-kdf"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { settleWorker } from "../../.medusa/server/src/workflows/settle-worker"
import { seedStore, type SeededStore } from "../../examples/store/src/seed"
import { Shopper } from "./shopper"
import { createDatabase, dropDatabase, keepRows, restoreRows } from "./seeded-database"
import { untilNone } from "./wait-until"

/** Making a cart takes longer than paying for it, and most tests need one or two. */
const SEEDED_CARTS = 3

/**
 * The example store, started in this process as `medusa start` starts it, on a seeded database of its own. No scheduled
 * job runs by itself: only a test ticks.
 */
export class RunningStore {
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
