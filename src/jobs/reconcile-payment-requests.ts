import type { MedusaContainer } from "@medusajs/framework/types"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settleInTurn } from "../workflows/settle-queue"
import { sweep } from "../workflows/sweep"

const ROWS_PER_LOOK = 50
/** No new row is begun after this. What is left is the next tick's. */
const TICK_MS = 50_000

/**
 * Settles what is due, after the sweeps have made due what a lost event would have. So a lost event, a lost notification
 * or a dead process costs time and never money.
 *
 * Looking takes nothing: each settle takes its row by a conditional update, and rows that are held are not seen by the
 * next look. So every process that runs this takes what the others have not, until nothing is due.
 */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const endAt = Date.now() + TICK_MS
  const tried = new Set<string>()
  await sweep(container)
  for (;;) {
    // A row that is due again, or still, waits for the next tick: this one has to end.
    const due = (await ledger.queue.listDue(ROWS_PER_LOOK)).filter((id) => !tried.has(id))
    if (due.length === 0 || Date.now() >= endAt || ledger.runningSettles.isStopping) {
      return
    }
    await Promise.all(
      due.map(async (id) => {
        tried.add(id)
        await settleInTurn(container, id, "schedule")
      })
    )
  }
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
