import { settlePaymentRequest } from "../../.medusa/server/src/workflows/settle-payment-request"
import type { StoreUnderTest } from "./store-under-test"

/**
 * Settles a row at once, outside the turns of the store's queue: what was begun in turns before has reached the gateway
 * when this has.
 */
export async function settleBeside(store: StoreUnderTest, id: string): Promise<void> {
  await settlePaymentRequest(store.container, { id, trigger: "admin" })
}
