import { Modules } from "@medusajs/framework/utils"
import type { StoreUnderTest } from "./store-under-test"

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
