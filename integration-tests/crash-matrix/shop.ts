import { randomBytes } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { knex, type Knex } from "@medusajs/framework/mikro-orm/knex"
import axios, { type AxiosInstance } from "axios"
import { startSandbox } from "../../dist/sandbox"
import type { SeededStore } from "../../examples/store/src/seed"
import { buildStore, startMigratedPostgres } from "../support/cluster/kept"
import { STATE } from "../support/cluster/paths"
import { logIn, medusa, openLogs, storeEnvironment } from "../support/cluster/store-cluster"
import { GatewayControl } from "../support/gateway-control"
import { Shopper } from "../support/shopper"
import { createProduct, type Product } from "./product"
import { StoreProcess } from "./store-process"
import { startTogether, type Endings } from "../support/endings"

const DATABASE = "store"
const REQUEST_TIMEOUT_MS = 60_000
/** The store's option: how long an order that was placed first may stay unpaid. */
export const UNPAID_ORDER_TTL_MINUTES = 30

/** The store's option `orderPlacement`. A process has one, so a flow runs in processes of its own kind. */
export type OrderPlacement = "after_payment" | "before_payment"

/** An event as a merchant's subscriber heard it, in whichever process. */
export interface HeardEvent {
  event: string
  data: { id: string; reason?: string }
}

/** The built example store on one Postgres, without Redis, with the sandbox; its processes come and go. */
export interface Shop {
  readonly knex: Knex
  readonly gateway: GatewayControl
  readonly seeded: SeededStore
  /** Each has its own stock, so that one run does not wait for what another one holds. */
  readonly products: Product[]
  boot(placement: OrderPlacement): Promise<StoreProcess>
  shopper(at: StoreProcess, product: Product): Shopper
  admin(at: StoreProcess): AxiosInstance
  /** What subscribers have heard since this was asked last. */
  takeHeard(): HeardEvent[]
  stop(): Promise<void>
}

/**
 * @param products how many runs there are at a time
 * @param tell hears what is being done
 */
export function openShop(products: number, tell: (what: string) => void): Promise<Shop> {
  return startTogether((endings, stop) => open(products, tell, endings, stop))
}

async function open(
  count: number,
  tell: (what: string) => void,
  endings: Endings,
  stop: () => Promise<void>
): Promise<Shop> {
  const logs = openLogs()
  if (logs.isTemporary) {
    endings.push(() => rmSync(logs.folder, { recursive: true, force: true }))
  }
  const keys = { secretKey: randomBytes(24).toString("hex"), token: randomBytes(12).toString("hex") }
  const sandbox = await startSandbox({
    port: 0,
    secretKey: keys.secretKey,
    auth: { bearerToken: keys.token },
  })
  endings.push(() => sandbox.close())
  const postgres = await startMigratedPostgres()
  endings.push(postgres.stop)
  await postgres.createDatabase(DATABASE)
  const connection = knex({ client: "pg", connection: postgres.url(DATABASE), pool: { min: 0, max: 10 } })
  endings.push(() => connection.destroy())
  const env = storeEnvironment(postgres.url(DATABASE), "", sandbox, keys)
  const seeded = await setUp(env, logs.folder, tell)

  const heardFile = join(logs.folder, "heard.jsonl")
  const at = ({ url }: StoreProcess, headers = {}): AxiosInstance =>
    axios.create({ baseURL: url, headers, timeout: REQUEST_TIMEOUT_MS, validateStatus: () => true })
  const processes: StoreProcess[] = []
  endings.push(() => Promise.all(processes.map((process) => process.kill())))
  let token = ""
  const shop: Shop = {
    knex: connection,
    gateway: new GatewayControl(sandbox.url),
    seeded,
    products: [],
    boot: async (placement) => {
      const name = `crash-${processes.length + 1}`
      const process = await StoreProcess.boot(
        name,
        { ...env, ...optionsFor(placement) },
        logs.folder,
        heardFile
      )
      processes.push(process)
      return process
    },
    shopper: (process, { variantId }) => new Shopper(at(process), { ...seeded, variantId }),
    admin: (process) => at(process, { authorization: `Bearer ${token}` }),
    takeHeard: () => {
      const heard = existsSync(heardFile) ? parseLines(readFileSync(heardFile, "utf8")) : []
      rmSync(heardFile, { force: true })
      return heard
    },
    stop,
  }
  tell("starting the store")
  const first = await shop.boot("after_payment")
  token = await logIn(at(first), seeded)
  for (let number = 1; number <= count; number++) {
    shop.products.push(await createProduct(shop.admin(first), connection, seeded, number))
  }
  await first.kill()
  return shop
}

async function setUp(
  env: NodeJS.ProcessEnv,
  logs: string,
  tell: (what: string) => void
): Promise<SeededStore> {
  tell("building the store")
  mkdirSync(join(STATE, "logs"), { recursive: true })
  await buildStore(env, new AbortController().signal)
  tell("seeding")
  const file = join(logs, "seeded.json")
  await medusa(["exec", "./src/scripts/seed.js", file], env, join(logs, "seed.log"))
  return JSON.parse(readFileSync(file, "utf8")) as SeededStore
}

function optionsFor(placement: OrderPlacement): NodeJS.ProcessEnv {
  return placement === "after_payment"
    ? {}
    : {
        CRYPTO_PAYMENTS_ORDER_PLACEMENT: placement,
        CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: String(UNPAID_ORDER_TTL_MINUTES),
      }
}

function parseLines(text: string): HeardEvent[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as HeardEvent)
}
