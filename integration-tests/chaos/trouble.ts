import type { Instance } from "../support/cluster/instance"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { Random } from "./random"

const KINDS = ["a server", "a worker", "Postgres", "a server and a worker", "everything"] as const
type Kind = (typeof KINDS)[number]

const CHECKOUTS_PER_TROUBLE = 15

/** What is broken, and after how many checkouts have begun. */
export interface Trouble {
  kind: Kind
  /** Which of the two servers and workers. */
  which: 0 | 1
  afterCheckout: number
}

/** At least one of each kind, spread over the whole run. */
export function drawTroubles(random: Random, checkouts: number): Trouble[] {
  const count = Math.max(KINDS.length, Math.round(checkouts / CHECKOUTS_PER_TROUBLE))
  const kinds = Array.from({ length: count }, (_, index) => KINDS[index % KINDS.length] ?? KINDS[0])
  shuffle(random, kinds)
  return kinds.map((kind, index) => ({
    kind,
    which: random.pick([0, 1]),
    afterCheckout: Math.floor(((index + random.next()) * checkouts) / count),
  }))
}

/** `kill -9`, and up again at once, as a supervisor would; Postgres recovers by itself. */
export async function strike(cluster: StoreCluster, { kind, which }: Trouble): Promise<void> {
  if (kind === "Postgres") {
    await crashPostgres(cluster)
    return
  }
  const struck = instancesOf(cluster, kind, which)
  await Promise.all(struck.map((instance) => instance.kill()))
  await Promise.all(struck.map((instance) => instance.start()))
}

function instancesOf({ servers, workers, instances }: StoreCluster, kind: Kind, which: 0 | 1): Instance[] {
  const server = servers.slice(which, which + 1)
  const worker = workers.slice(which, which + 1)
  switch (kind) {
    case "a server":
      return server
    case "a worker":
      return worker
    case "a server and a worker":
      return [...server, ...worker]
    default:
      return instances
  }
}

/**
 * `kill -9` of one of Postgres' own processes: Postgres then cuts every connection, replays its log and starts anew,
 * which is what a crash of the database is.
 */
async function crashPostgres({ knex }: StoreCluster): Promise<void> {
  const { rows } = await knex.raw<{ rows: [{ pid: number }] }>("SELECT pg_backend_pid() AS pid")
  process.kill(rows[0].pid, "SIGKILL")
}

function shuffle(random: Random, list: Kind[]): void {
  for (let last = list.length - 1; last > 0; last--) {
    const other = random.whole(0, last)
    const kept = list[last] as Kind
    list[last] = list[other] as Kind
    list[other] = kept
  }
}
