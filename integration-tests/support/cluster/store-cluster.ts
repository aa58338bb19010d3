import { runAudit } from "../audit"
import { Shopper } from "../shopper"
import { setStock } from "../stock"
import { startBuiltStore } from "./built-store"
import { Instance, type WorkerMode } from "./instance"
import { startRedis } from "./redis-server"

/** So that nothing is ever sold out: what is tested is money. */
const STOCK = 1_000_000

export type StoreCluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Two servers and two workers of the built example store on one Postgres and one Redis, with the sandbox.
 *
 * @param tell hears what is being done
 * @param extra what else each process gets in its environment
 */
export async function startCluster(
  tell: (what: string) => void = () => undefined,
  extra: Record<string, string> = {}
) {
  const redis = await startRedis()
  const store = await startBuiltStore(tell, { REDIS_URL: redis.url, ...extra })
  const { http, knex, seeded } = store
  // The harness turns it off for speed; here Postgres is killed, and what it confirmed has to be there afterwards.
  await knex.raw("ALTER DATABASE store SET synchronous_commit = on")
  await setStock(store, STOCK)

  tell("starting two servers and two workers")
  const instance = (mode: WorkerMode, name: string): Instance =>
    new Instance(mode, name, store.environment, store.logs)
  const servers = ["server-1", "server-2"].map((name) => instance("server", name))
  const workers = ["worker-1", "worker-2"].map((name) => instance("worker", name))
  const instances = [...servers, ...workers]
  await Promise.all(instances.map((instance) => instance.start()))
  /** One after the other. */
  const server = (turn: number): Instance => servers[turn % servers.length] as Instance
  await store.logIn(server(0))
  return {
    ...store,
    server,
    servers,
    workers,
    instances,
    selfAudit: async () => await runAudit({ asAdmin: store.admin(server(0)) }),
    /** A guest who shops at that server. */
    shopper: (server: Instance) => new Shopper(http(server), seeded),
    redis,
    /** Moves the clock of what killed processes have left: their leases end after 30 seconds, their locks after two minutes. */
    endLeases: async () => {
      await redis.endLocks()
      await knex("crypto_payment_request").update({ lease_until: null })
    },
    /** Moves the clock of what is not settled: a capture is two minutes older, and what is watched is due. */
    letTwoMinutesPass: async () => {
      await knex.raw("UPDATE capture SET created_at = created_at - interval '2 minutes'")
      await knex("crypto_payment_request")
        .whereNull("settled_at")
        .whereNotNull("next_check_at")
        .update({ next_check_at: knex.fn.now() })
    },
    stop: async () => {
      await Promise.all(instances.map((instance) => instance.kill()))
      await store.stop()
      await redis.stop()
    },
  }
}
