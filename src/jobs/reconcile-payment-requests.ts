import type { MedusaContainer } from "@medusajs/framework/types"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { SETTLES_AT_ONCE, trySettle } from "../workflows/try-settle"

const ROWS_PER_LOOK = 50
/** No new row is begun after this; what is left is the next tick's. */
const TICK_MS = 50_000

/**
 * Settles what is due, so that a lost notification or a dead instance costs time and never money.
 *
 * Looking claims nothing: each settle takes its row by a conditional update, and leased rows are not seen by the next
 * look. So every instance that runs this takes what the others have not, until nothing is due.
 */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const endAt = Date.now() + TICK_MS
  const tried = new Set<string>()
  const settleNext = async (due: string[]): Promise<void> => {
    for (let id = due.shift(); id !== undefined && Date.now() < endAt; id = due.shift()) {
      tried.add(id)
      // One broken row does not stop the others; it keeps its place in the back-off.
      await trySettle(container, id, "schedule")
    }
  }
  for (;;) {
    // A row that is due again, or still, waits for the next tick: this one has to end.
    const due = (await ledger.due.listDue(ROWS_PER_LOOK)).filter((id) => !tried.has(id))
    if (due.length === 0 || Date.now() >= endAt) {
      return
    }
    await Promise.all(Array.from({ length: SETTLES_AT_ONCE }, async () => await settleNext(due)))
  }
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
