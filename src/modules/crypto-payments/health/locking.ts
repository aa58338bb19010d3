import { asArray, asRecord, type ConfigModuleLike } from "../settings/registrations"

/** @see docs/adr/0007-locks-on-postgres.md */
const ON_POSTGRES =
  "@medusajs/locking-postgres never frees the lock of a process that died, so a paid cart could stay without its order for ever. Put @medusajs/medusa/locking-redis into medusa-config."
const NOT_SHARED =
  "Locks are kept in memory, and this store seems to run in several instances: two could complete the same cart. Put @medusajs/medusa/locking-redis into medusa-config."

/**
 * Whether carts are locked across instances. Placing an order needs it: with locks in memory, two instances could both
 * complete the same cart. A split of server and worker, or engines on Redis, shows that there are several instances.
 *
 * @returns `message` says what to install; null when the locks fit
 */
export function describeLocking({ modules, projectConfig }: ConfigModuleLike) {
  const providers = asArray(asRecord(asRecord(modules?.["locking"])["options"])["providers"]).map(asRecord)
  const chosen = providers.find(({ is_default }) => is_default === true || providers.length === 1)
  const { id, resolve } = chosen ?? { id: "in-memory" }
  const isSpread =
    ["server", "worker"].includes(projectConfig?.workerMode ?? "") ||
    ["event_bus", "workflows"].some((key) => isNamed(asRecord(modules?.[key])["resolve"], "redis"))
  const message = [id, resolve].some((name) => isNamed(name, "postgres"))
    ? ON_POSTGRES
    : id === "in-memory" && isSpread
      ? NOT_SHARED
      : null
  return { provider: typeof id === "string" ? id : "unknown", fits: message === null, message }
}

function isNamed(name: unknown, word: string): boolean {
  return typeof name === "string" && name.includes(word)
}
