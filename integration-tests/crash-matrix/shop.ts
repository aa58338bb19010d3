import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openLogs, startBuiltStore, type BuiltStore } from "../support/cluster/built-store"
import { startTogether, type Endings } from "../support/endings"
import { Shopper } from "../support/shopper"
import { createProduct, type Product } from "./product"
import { StoreProcess } from "./store-process"

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
export interface Shop extends Pick<BuiltStore, "knex" | "gateway" | "seeded" | "admin"> {
  /** Each has its own stock, so that one run does not wait for what another one holds. */
  readonly products: Product[]
  boot(placement: OrderPlacement): Promise<StoreProcess>
  shopper(at: StoreProcess, product: Product): Shopper
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
  const { knex, gateway, seeded, environment, http, admin, logIn } = await startBuiltStore(tell, endings, {
    logs: logs.folder,
  })

  const heardFile = join(logs.folder, "heard.jsonl")
  const processes: StoreProcess[] = []
  endings.push(() => Promise.all(processes.map((process) => process.kill())))
  const shop: Shop = {
    knex,
    gateway,
    seeded,
    admin,
    products: [],
    boot: async (placement) => {
      const name = `crash-${processes.length + 1}`
      const process = await StoreProcess.boot(
        name,
        { ...environment, ...optionsFor(placement) },
        logs.folder,
        heardFile
      )
      processes.push(process)
      return process
    },
    shopper: (process, { variantId }) => new Shopper(http(process), { ...seeded, variantId }),
    takeHeard: () => {
      const heard = existsSync(heardFile) ? parseLines(readFileSync(heardFile, "utf8")) : []
      rmSync(heardFile, { force: true })
      return heard
    },
    stop,
  }
  tell("starting the store")
  const first = await shop.boot("after_payment")
  await logIn(first)
  for (let number = 1; number <= count; number++) {
    shop.products.push(await createProduct(admin(first), knex, seeded, number))
  }
  await first.kill()
  return shop
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
