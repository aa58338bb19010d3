import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { isMoreThan, type DecidedFacts } from "../../decision"
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
/** With the waits for the order's and the cart's locks this stays within the row's lease, which each act renews. */
export const CORE_MS = 45_000

/** In the queue of the routes that create sessions of a collection, or links of an order, and as patient as these. */
export async function inSessionQueue<T>(
  container: MedusaContainer,
  id: string,
  work: () => Promise<T>
): Promise<{ result: T } | undefined> {
  return await whileLocked(container, `crypto:${id}`, CART_WAIT_S, work)
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

/**
 * Captures while no other link of the same order is captured. Core locks the cart of a payment collection, but an
 * order's further collections have no cart. Without this, two links for one outstanding amount that are paid at the
 * same moment are both captured, each is the duplicate of the other, and core adds up the order's payments wrongly.
 *
 * After the wait the facts are read again. When another link has paid the order meanwhile, nothing is captured, and the
 * settle decides anew. When core hangs, the lock is given up: both may be captured then, and both become cases.
 *
 * @returns whether to try again at once. Not when the lock is not free in time
 */
export async function oneCaptureAtATime(
  { container, ledger, row, facts }: Omit<Settling, "lease">,
  capture: (latest: DecidedFacts) => Promise<boolean>
): Promise<boolean> {
  if (facts.order_id === null) {
    // The order is not placed yet: core places it under its lock of the cart.
    return await capture(facts)
  }
  const held = await whileLocked(container, `crypto:capture:${facts.order_id}`, CART_WAIT_S, async () => {
    const latest = await ledger.facts.read(row.id)
    // An existing capture is only completed.
    const isCaptured = isMoreThan(latest.payment_captured, "0")
    const isWanted = isCaptured || (!latest.paid_by_another && !latest.order_canceled)
    return isWanted ? await capture(latest) : true
  })
  return held?.result ?? false
}
