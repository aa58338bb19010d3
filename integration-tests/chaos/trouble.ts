import { setTimeout as delay } from "node:timers/promises"
import type { Instance } from "../support/cluster/instance"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { Random } from "../support/random"
import { setStock } from "../support/stock"

/** How each thing is broken and brought up again, as the report says it. Postgres recovers by itself. */
const STRIKES = {
  "kill -9 of a server": async ({ server }, which) => await killAndStart([server(which)]),
  "kill -9 of a worker": async ({ workers }, which) => await killAndStart(workers.slice(which, which + 1)),
  "kill -9 of a server and a worker": async ({ server, workers }, which) =>
    await killAndStart([server(which), ...workers.slice(which, which + 1)]),
  "kill -9 of everything": async ({ instances }) => await killAndStart(instances),
  "crash of Postgres": crashPostgres,
  "Redis loses its data": loseRedisData,
  "Redis hangs": async (cluster) => await cluster.redis.pause(HANGS_MS),
  "rolling deploy": deploy,
  "out of stock": sellOut,
  "no region offers crypto": dropProvider,
} satisfies Record<string, (cluster: StoreCluster, which: 0 | 1) => Promise<unknown>>

type Kind = keyof typeof STRIKES
export const KINDS = Object.keys(STRIKES) as [Kind, ...Kind[]]

/** As long as a virtual machine pauses while it is moved. */
const HANGS_MS = 4000
/** As long as a merchant takes to notice and to restock. */
const SOLD_OUT_MS = 6000

const CHECKOUTS_PER_TROUBLE = 15

/** What is broken, and after how many checkouts have begun. */
export interface Trouble {
  kind: Kind
  /** Which of the two servers and workers. */
  which: 0 | 1
  afterCheckout: number
}

/** Spread over the whole run: at least one of each kind, or one per two checkouts when these are few. */
export function drawTroubles(random: Random, checkouts: number): Trouble[] {
  const least = Math.min(KINDS.length, Math.ceil(checkouts / 2))
  const count = Math.max(least, Math.round(checkouts / CHECKOUTS_PER_TROUBLE))
  const length = Math.max(count, KINDS.length)
  const all = random.shuffle(Array.from({ length }, (_, index) => KINDS[index % KINDS.length] ?? KINDS[0]))
  return all.slice(0, count).map((kind, index) => ({
    kind,
    which: random.pick([0, 1]),
    afterCheckout: Math.floor(((index + random.next()) * checkouts) / count),
  }))
}

/** Breaks one thing, and brings it up again as a supervisor would. */
export async function strike(cluster: StoreCluster, { kind, which }: Trouble): Promise<void> {
  await STRIKES[kind](cluster, which)
}

async function killAndStart(struck: Instance[]): Promise<void> {
  await Promise.all(struck.map((instance) => instance.kill()))
  await Promise.all(struck.map((instance) => instance.start()))
}

/** With the data goes Medusa's schedule, which a worker writes when it starts: docs/operations.md says to restart them. */
async function loseRedisData(cluster: StoreCluster): Promise<void> {
  await cluster.redis.flush()
  for (const worker of cluster.workers) {
    await worker.restart()
  }
}

async function deploy({ instances }: StoreCluster): Promise<void> {
  for (const instance of instances) {
    await instance.restart()
  }
}

async function sellOut(cluster: StoreCluster): Promise<void> {
  const { knex } = cluster
  const stocked = await knex("inventory_level").select("id", "stocked_quantity", "raw_stocked_quantity")
  await setStock(cluster, 0)
  await delay(SOLD_OUT_MS)
  for (const { id, ...stock } of stocked) {
    await knex("inventory_level").where({ id }).update(stock)
  }
}

async function dropProvider({ knex }: StoreCluster): Promise<void> {
  const offers = knex("region_payment_provider").whereLike("payment_provider_id", "pp_crypto_%")
  await offers.clone().update({ deleted_at: new Date() })
  await delay(SOLD_OUT_MS)
  await offers.clone().update({ deleted_at: null })
}

/**
 * `kill -9` of one of Postgres' own processes: Postgres then cuts every connection, replays its log and starts anew,
 * which is what a crash of the database is.
 */
async function crashPostgres({ knex }: StoreCluster): Promise<void> {
  const { rows } = await knex.raw<{ rows: [{ pid: number }] }>("SELECT pg_backend_pid() AS pid")
  process.kill(rows[0].pid, "SIGKILL")
}
