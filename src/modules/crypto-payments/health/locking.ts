import type { LockingView } from "../../../http-contract"

/** The parts of Medusa's resolved configuration that show how many instances are meant. */
interface ConfigLike {
  modules?: Record<string, unknown>
  projectConfig?: { workerMode?: string | undefined }
}

const IN_MEMORY = "in-memory"
const POSTGRES = "postgres"

/**
 * Whether carts are locked across instances. Placing an order needs it: with locks in memory, two instances could both
 * complete the same cart. A split of server and worker, or engines on Redis, shows that there are several instances.
 */
export function describeLocking({ modules, projectConfig }: ConfigLike): LockingView {
  const { id: provider, isOnPostgres } = defaultLockingProvider(modules?.["locking"])
  const in_memory = provider === IN_MEMORY
  const mode = projectConfig?.workerMode
  const worker_mode = mode === "server" || mode === "worker" ? mode : "shared"
  const redis_engines = ["event_bus", "workflows"].some((key) => isOnRedis(modules?.[key]))
  const fits = in_memory ? worker_mode === "shared" && !redis_engines : !isOnPostgres
  return {
    provider,
    in_memory,
    worker_mode,
    redis_engines,
    fits,
    message: isOnPostgres ? STUCK_ON_POSTGRES : message(in_memory, fits),
  }
}

/** @see docs/adr/0007-locks-on-postgres.md */
const STUCK_ON_POSTGRES =
  "@medusajs/locking-postgres never frees the lock of a process that died, so a paid cart could stay without its order for ever. Put @medusajs/medusa/locking-redis into medusa-config."

function message(inMemory: boolean, fits: boolean): string {
  if (!fits) {
    return "Locks are kept in memory, and this store seems to run in several instances: two could complete the same cart. Put @medusajs/medusa/locking-redis into medusa-config."
  }
  return inMemory
    ? "Locks are kept in memory, which fits one instance. Before you run a second one, put @medusajs/medusa/locking-redis into medusa-config."
    : "Locks are shared between instances."
}

function defaultLockingProvider(locking: unknown): { id: string; isOnPostgres: boolean } {
  const options = asRecord(asRecord(locking)["options"])
  const providers = (Array.isArray(options["providers"]) ? options["providers"] : []).map(asRecord)
  const chosen =
    providers.find(({ is_default }) => is_default === true) ??
    (providers.length === 1 ? providers[0] : undefined)
  if (chosen === undefined) {
    return { id: IN_MEMORY, isOnPostgres: false }
  }
  const { id, resolve } = chosen
  return {
    id: typeof id === "string" ? id : "unknown",
    isOnPostgres: [id, resolve].some((name) => typeof name === "string" && name.includes(POSTGRES)),
  }
}

function isOnRedis(module: unknown): boolean {
  const resolve = asRecord(module)["resolve"]
  return typeof resolve === "string" && resolve.includes("redis")
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}
