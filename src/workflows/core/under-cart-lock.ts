import type { MedusaContainer } from "@medusajs/framework/types"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { whileLocked } from "./while-locked"

/** How long a settle waits for the lock of a cart, in seconds. */
export const CART_WAIT_S = 20

/**
 * Does the work while core cannot complete the row's cart, since core takes the same lock, and with facts that are read
 * under it. Not at all when the lock is not free in time. A row without a cart needs no lock.
 */
export async function underCartLock(
  container: MedusaContainer,
  { id, cart_id }: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  work: (latest: SettlementFacts) => Promise<void>
): Promise<void> {
  if (cart_id === null) {
    await work(facts)
    return
  }
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await whileLocked(container, cart_id, CART_WAIT_S, async () => {
    await work(await ledger.readSettlementFacts(id))
  })
}
