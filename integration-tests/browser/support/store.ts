import { execFile } from "node:child_process"
import { resolve } from "node:path"
import { promisify } from "node:util"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import axios from "axios"
import type { SeededStore } from "../../../examples/store/src/seed"
import { adminOf } from "../../support/admin-api"
import { BUILT_STORE, MEDUSA_CLI } from "../../support/cluster/paths"
import { GatewayControl } from "../../support/gateway-control"
import { Shopper } from "../../support/shopper"

/** What the global set-up started. */
export interface Setting {
  storeUrl: string
  /** The example shop's pages. */
  shopUrl: string
  databaseUrl: string
  seeded: SeededStore
  gateway: { url: string; baseUrl: string; secretKey: string; token: string }
  /** Where the browser listens. */
  browser: string
  /** The store's own environment, to start another process of it. */
  env: Record<string, string>
}

const RUN_SCHEDULE = resolve(__dirname, "../../support/cluster/run-schedule.mjs")

export const setting = JSON.parse(process.env["BROWSER_TEST"] ?? "null") as Setting

/** The running store from its other sides: the shopper's, the gateway's, the API's and the database's. */
export class StoreFromOutside {
  readonly gateway = new GatewayControl(setting.gateway.url)
  readonly knex: Knex = knex({ client: "pg", connection: setting.databaseUrl, pool: { min: 0, max: 4 } })
  readonly http = axios.create({ baseURL: setting.storeUrl, validateStatus: () => true })
  readonly seeded = setting.seeded
  readonly shopper = new Shopper(this.http, this.seeded)
  /** The merchant, for what a test takes as given. */
  readonly asAdmin = adminOf(this)
  /** What a cart can be changed with. */
  readonly secondVariantId = setting.seeded.variantIds[1] ?? ""

  /** Settles what is due, in a process of its own: the store's own jobs never run. */
  async runSchedule(): Promise<void> {
    const place = { cwd: BUILT_STORE, env: setting.env }
    await promisify(execFile)(process.execPath, [MEDUSA_CLI, "exec", RUN_SCHEDULE], place)
  }

  async close(): Promise<void> {
    await this.knex.destroy()
  }
}
