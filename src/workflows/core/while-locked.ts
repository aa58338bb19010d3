import type { ILockingModule, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

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
  const turn = { hasCome: false }
  const begin = async (): Promise<{ result: T }> => {
    turn.hasCome = true
    return { result: await work() }
  }
  try {
    return await container.resolve<ILockingModule>(Modules.LOCKING).execute(key, begin, { timeout: waitS })
  } catch (error) {
    if (!turn.hasCome && error instanceof Error && error.message === NOT_FREE) {
      return undefined
    }
    throw error
  }
}
