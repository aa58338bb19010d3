import { resolve } from "node:path"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosInstance } from "axios"
import type { SeededStore } from "../../../examples/store/src/seed"
import { run } from "../../support/cluster/kept"
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
  private readonly http = axios.create({ baseURL: setting.storeUrl, validateStatus: () => true })
  readonly shopper = new Shopper(this.http, setting.seeded)
  /** What a cart can be changed with. */
  readonly secondVariantId = setting.seeded.variantIds[1] ?? ""

  /** The merchant's API, for what a test takes as given. */
  async admin(): Promise<AxiosInstance> {
    const { data } = await this.http.post<{ token: string }>("/auth/user/emailpass", setting.seeded.admin)
    return axios.create({
      baseURL: `${setting.storeUrl}/admin`,
      headers: { authorization: `Bearer ${data.token}` },
      validateStatus: () => true,
    })
  }

  /** Settles what is due, in a process of its own: the store's own jobs never run. */
  async runSchedule(): Promise<void> {
    const command = [process.execPath, MEDUSA_CLI, "exec", RUN_SCHEDULE]
    await run("the schedule", { command, cwd: BUILT_STORE, env: setting.env })
  }

  async close(): Promise<void> {
    await this.knex.destroy()
  }
}
