import { existsSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { openLogs, startBuiltStore } from "../support/cluster/built-store"
import { startTogether } from "../support/endings"
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

export type Shop = Awaited<ReturnType<typeof openShop>>

/**
 * The built example store on one Postgres, without Redis, with the sandbox; its processes come and go.
 *
 * @param count how many runs there are at a time
 * @param tell hears what is being done
 */
export function openShop(count: number, tell: (what: string) => void) {
  return startTogether(async (endings, stop) => {
    const logs = openLogs()
    if (logs.isTemporary) {
      endings.push(() => rmSync(logs.folder, { recursive: true, force: true }))
    }
    const store = await startBuiltStore(tell, endings, { logs: logs.folder })
    const { knex, gateway, seeded, environment, http, admin, logIn } = store
    const heardFile = join(logs.folder, "heard.jsonl")
    const processes: StoreProcess[] = []
    endings.push(() => Promise.all(processes.map((process) => process.kill())))
    const boot = async (placement: OrderPlacement): Promise<StoreProcess> => {
      const name = `crash-${processes.length + 1}`
      const env = { ...environment, ...optionsFor(placement) }
      const process = await StoreProcess.boot(name, env, logs.folder, heardFile)
      processes.push(process)
      return process
    }
    tell("starting the store")
    const first = await boot("after_payment")
    await logIn(first)
    const products: Product[] = []
    for (let number = 1; number <= count; number++) {
      products.push(await createProduct(admin(first), knex, seeded, number))
    }
    await first.kill()
    return {
      knex,
      gateway,
      admin,
      /** Each has its own stock, so that one run does not wait for what another one holds. */
      products,
      boot,
      shopper: (at: StoreProcess, { variantId }: Product) => new Shopper(http(at), { ...seeded, variantId }),
      /** What subscribers have heard since this was asked last. */
      takeHeard: () => {
        const lines = existsSync(heardFile) ? readFileSync(heardFile, "utf8").trim().split("\n") : []
        rmSync(heardFile, { force: true })
        return lines.map((line) => JSON.parse(line) as HeardEvent)
      },
      stop,
    }
  })
}

function optionsFor(placement: OrderPlacement): NodeJS.ProcessEnv {
  return placement === "after_payment"
    ? {}
    : {
        CRYPTO_PAYMENTS_ORDER_PLACEMENT: placement,
        CRYPTO_PAYMENTS_UNPAID_ORDER_TTL_MINUTES: String(UNPAID_ORDER_TTL_MINUTES),
      }
}
