import { Modules } from "@medusajs/framework/utils"
import { untilBlocked } from "./held-row"
import type { HeldTimers } from "./held-timers"
import type { StoreUnderTest } from "./store-under-test"
import { untilTrue } from "./wait-until"

/** How long the plugin waits for core, as it names it. */
export const CORE_PATIENCE_MS = 45_000

/** Core hangs under the lock and is given up, whoever takes the lock then. */
export async function untilLockIsGivenUp(store: StoreUnderTest, key: string, patience: HeldTimers) {
  const locking = store.container.resolve(Modules.LOCKING)
  await untilBlocked(store)
  await untilTrue(async () => {
    patience.fire(CORE_PATIENCE_MS)
    return await locking.execute(key, () => Promise.resolve(true), { timeout: 1 }).catch(() => false)
  }, 20_000)
}
