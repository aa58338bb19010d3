import type { MedusaContainer } from "@medusajs/framework/types"
import { resolveLedger } from "../../modules/crypto-payments"
import { beingSettledError } from "../../modules/crypto-payments/errors"
import { refuseWhilePaused } from "../../modules/crypto-payments/paused"
import type { LeasedRow } from "../../modules/crypto-payments/payment-requests/leases"
import { HELD_WAIT_MS, untilTaken } from "../../modules/crypto-payments/waiting"

/**
 * Does the work while no settle, no refund and no other use of the payment runs.
 *
 * @throws MedusaError 404; 400 `being_settled`, `paused`
 */
export async function holdPayment<T>(
  container: MedusaContainer,
  id: string,
  work: (row: LeasedRow) => Promise<T>
): Promise<T> {
  refuseWhilePaused()
  const { leases, requests } = resolveLedger(container)
  await requests.require(id)
  const row = await untilTaken(async () => await leases.lease(id, 0), HELD_WAIT_MS)
  if (row === undefined) {
    throw beingSettledError()
  }
  try {
    return await leases.hold(row, async () => await work(row))
  } finally {
    await leases.release(row)
  }
}
