import { asArray, asRecord, type ConfigModuleLike } from "../settings/registrations"

const MESSAGES = {
  /** @see docs/adr/0007-locks-on-postgres.md */
  on_postgres:
    "@medusajs/locking-postgres never frees the lock of a process that died, so a paid cart could stay without its order for ever. Put @medusajs/medusa/locking-redis into medusa-config.",
  not_shared:
    "Locks are kept in memory, and this store seems to run in several instances: two could complete the same cart. Put @medusajs/medusa/locking-redis into medusa-config.",
  in_memory:
    "Locks are kept in memory, which fits one instance. Before you run a second one, put @medusajs/medusa/locking-redis into medusa-config.",
  shared: "Locks are shared between instances.",
}

/**
 * Whether carts are locked across instances. Placing an order needs it: with locks in memory, two instances could both
 * complete the same cart. A split of server and worker, or engines on Redis, shows that there are several instances.
 */
export function describeLocking({ modules, projectConfig }: ConfigModuleLike) {
  const providers = asArray(asRecord(asRecord(modules?.["locking"])["options"])["providers"]).map(asRecord)
  const chosen = providers.find(({ is_default }) => is_default === true || providers.length === 1)
  const in_memory = chosen === undefined || chosen["id"] === "in-memory"
  const isOnPostgres = [chosen?.["id"], chosen?.["resolve"]].some((name) => isNamed(name, "postgres"))
  const mode = projectConfig?.workerMode
  const worker_mode = mode === "server" || mode === "worker" ? mode : ("shared" as const)
  const redis_engines = ["event_bus", "workflows"].some((key) =>
    isNamed(asRecord(modules?.[key])["resolve"], "redis")
  )
  const fits = in_memory ? worker_mode === "shared" && !redis_engines : !isOnPostgres
  const verdict = isOnPostgres ? "on_postgres" : !fits ? "not_shared" : in_memory ? "in_memory" : "shared"
  return {
    provider: in_memory ? "in-memory" : typeof chosen["id"] === "string" ? chosen["id"] : "unknown",
    in_memory,
    worker_mode,
    redis_engines,
    fits,
    message: MESSAGES[verdict],
  }
}

function isNamed(name: unknown, word: string): boolean {
  return typeof name === "string" && name.includes(word)
}
