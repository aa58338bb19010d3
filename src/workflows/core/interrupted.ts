import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"

/** Core ends its work within seconds. Otherwise its process died or gave up. */
const INTERRUPTED_AFTER_MS = 60_000

/** Whether core's unfinished work is so old that its process must be dead. @param ageMs by the database: clocks differ */
export function isInterrupted(ageMs: number): boolean {
  return ageMs >= INTERRUPTED_AFTER_MS
}

/** Core's payment module has this method and leaves it out of its interface. */
interface DeletesRefunds {
  deleteRefunds: (ids: string[]) => Promise<void>
}

export async function deleteRefunds(container: MedusaContainer, ids: string[]): Promise<void> {
  await container.resolve<DeletesRefunds>(Modules.PAYMENT).deleteRefunds(ids)
}

/**
 * Deletes core's refunds whose process died before it asked the provider, which would have refused. Nobody sent that
 * money back, and core would count it as refunded. @returns whether such a refund may be running at this moment
 */
export async function dropInterruptedRefunds(
  container: MedusaContainer,
  paymentId: string
): Promise<boolean> {
  const unasked = await resolveLedger(container).refunds.listUnasked(paymentId)
  const interrupted = unasked.filter(({ age_ms }) => isInterrupted(age_ms))
  if (interrupted.length > 0) {
    await deleteRefunds(
      container,
      interrupted.map(({ id }) => id)
    )
  }
  return unasked.length > interrupted.length
}
