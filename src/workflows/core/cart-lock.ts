import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { DecidedFacts } from "../../decision"
import { waitAtMost } from "../../modules/crypto-payments/waiting"
import type { Settling } from "./settling"

/** The message of every locking provider when a lock was not free in time; Redis' has a type, the others none. */
const NOT_FREE = "Timed-out acquiring lock."

/**
 * Does the work while nobody else holds the lock. `execute` and not `acquire`: it waits with every locking provider,
 * and a dead process never leaves it locked. @returns undefined when the lock was not free in time
 */
export async function whileLocked<T>(
  container: MedusaContainer,
  key: string,
  waitS: number,
  work: () => Promise<T>
): Promise<{ result: T } | undefined> {
  const lock = { isHeld: false }
  const begin = async (): Promise<{ result: T }> => {
    lock.isHeld = true
    return { result: await work() }
  }
  try {
    return await container.resolve(Modules.LOCKING).execute(key, begin, { timeout: waitS })
  } catch (error) {
    if (!lock.isHeld && error instanceof Error && error.message === NOT_FREE) {
      return undefined
    }
    throw error
  }
}

/** How long a settle waits for a lock, in seconds. */
export const CART_WAIT_S = 20
/** The same for what a user waits for, or what frees stock. */
export const CART_LOCK_S = 30
/** With an act's waits for locks this stays within the time of a settle. */
export const CORE_MS = 45_000

/** Runs one of core's workflows at the top level, so that its own locks apply. @throws TookTooLong after `CORE_MS` */
export async function runInCore(
  container: MedusaContainer,
  workflowId: string,
  input: object
): Promise<void> {
  const run = container.resolve(Modules.WORKFLOW_ENGINE).run(workflowId, { input }) as Promise<unknown>
  await waitAtMost(CORE_MS, run)
}

/**
 * Does the work under the lock with which core completes the row's cart, with facts that are read under it. A row
 * without a cart needs no lock. When the lock is not free in time, nothing is done.
 */
export async function underCartLock(
  { container, ledger, row, facts }: Omit<Settling, "lease">,
  work: (latest: DecidedFacts) => Promise<void>
): Promise<void> {
  if (row.cart_id === null) {
    await work(facts)
    return
  }
  await whileLocked(container, row.cart_id, CART_WAIT_S, async () => {
    await work(await ledger.facts.read(row.id))
  })
}
