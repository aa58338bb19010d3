import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { settle } from "../../.medusa/server/src/workflows/settle"
import type { StoreUnderTest } from "./store-under-test"

/**
 * Settles a row at once, outside the places of the store's worker: what the worker began before has reached the gateway
 * when this has.
 */
export async function settleBeside({ container }: StoreUnderTest, id: string): Promise<void> {
  const lease = await container.resolve<CryptoPaymentsModuleService>("cryptoPayments").queue.lease(id)
  if (lease === undefined) {
    throw new Error(`${id} is being settled already`)
  }
  await settle(container, lease, { trigger: "admin" })
}
