import { Modules } from "@medusajs/framework/utils"
import type { StoreUnderTest } from "./store-under-test"
import { untilTrue } from "./wait-until"

const LAST_EVENT = "test.everything_before_was_heard"

/**
 * Listens on the store's event bus as a merchant's subscriber would, from now on.
 *
 * @returns the payloads heard so far, filled as they come
 */
export function hear(store: StoreUnderTest, event: string): Record<string, unknown>[] {
  const heard: Record<string, unknown>[] = []
  store.container.resolve(Modules.EVENT_BUS).subscribe(event, async ({ data }) => {
    await Promise.resolve(heard.push(data as Record<string, unknown>))
  })
  return heard
}

/** Waits until subscribers have heard every event that was emitted so far: the bus delivers in order. */
export async function everythingHeard(store: StoreUnderTest): Promise<void> {
  const last = hear(store, LAST_EVENT)
  await store.container.resolve(Modules.EVENT_BUS).emit({ name: LAST_EVENT, data: {} })
  await untilTrue(() => last.length > 0)
}
