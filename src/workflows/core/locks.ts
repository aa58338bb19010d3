import type { ILockingModule, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"

/** What every locking provider says when a lock was not free in time; Redis' one with a type, the others without. */
const NOT_FREE = "Timed-out acquiring lock."

/**
 * Does the work while nobody else holds the lock.
 *
 * `execute` and not `acquire`: it waits on every locking provider, and a dead process never leaves it locked.
 *
 * @returns undefined when the lock was not free in time
 * @throws what the work throws, and what keeps the locking module from working
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
    return await container.resolve<ILockingModule>(Modules.LOCKING).execute(key, begin, { timeout: waitS })
  } catch (error) {
    if (!lock.isHeld && error instanceof Error && error.message === NOT_FREE) {
      return undefined
    }
    throw error
  }
}

/** How long a settle waits for the lock of a cart, in seconds. */
export const CART_WAIT_S = 20

/**
 * Does the work while core cannot complete the row's cart, since core takes the same lock, and with facts that are read
 * under it. A row without a cart needs no lock.
 *
 * @returns false when the lock was not free in time, and nothing was done
 */
export async function underCartLock(
  container: MedusaContainer,
  { id, cart_id }: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  work: (latest: SettlementFacts) => Promise<void>
): Promise<boolean> {
  if (cart_id === null) {
    await work(facts)
    return true
  }
  const ledger = resolveLedger(container)
  const held = await whileLocked(container, cart_id, CART_WAIT_S, async () => {
    await work(await ledger.facts.read(id))
  })
  return held !== undefined
}
