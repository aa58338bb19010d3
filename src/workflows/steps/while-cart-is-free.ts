import type { ILockingModule, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

const WAIT_S = 20

/**
 * Does the work under the lock that core completes a cart under, so that no completion is half done meanwhile. Core
 * gives the lock back last, also when it takes everything back.
 *
 * @returns undefined when the cart did not become free in time
 */
export async function whileCartIsFree<T>(
  container: MedusaContainer,
  cartId: string,
  work: () => Promise<T>
): Promise<T | undefined> {
  const cart = { isFree: false }
  const begin = async (): Promise<T> => {
    cart.isFree = true
    return await work()
  }
  try {
    return await container
      .resolve<ILockingModule>(Modules.LOCKING)
      .execute(cartId, begin, { timeout: WAIT_S })
  } catch (error) {
    if (cart.isFree) {
      throw error
    }
    return undefined
  }
}
