import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import type { Settling } from "./settling"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/facts"

/** The message of every locking provider when a lock was not free in time; Redis' has a type, the others none. */
const NOT_FREE = "Timed-out acquiring lock."

/**
 * Does the work while nobody else holds the lock. `execute` and not `acquire`: it waits with every locking provider,
 * and a dead process never leaves it locked.
 *
 * @returns undefined when the lock was not free in time
 * @throws what the work throws, and errors of the locking module
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

/** In seconds. */
export const CART_WAIT_S = 20

/**
 * Does the work under the lock with which core completes the row's cart, with facts that are read under it. A row
 * without a cart needs no lock.
 *
 * @returns false when the lock was not free in time, and nothing was done
 */
export async function underCartLock(
  { container, ledger, row, facts }: Omit<Settling, "lease">,
  work: (latest: SettlementFacts) => Promise<void>
): Promise<boolean> {
  if (row.cart_id === null) {
    await work(facts)
    return true
  }
  const held = await whileLocked(container, row.cart_id, CART_WAIT_S, async () => {
    await work(await ledger.facts.read(row.id))
  })
  return held !== undefined
}
