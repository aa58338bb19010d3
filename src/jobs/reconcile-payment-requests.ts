import type { MedusaContainer } from "@medusajs/framework/types"
import { resolveLedger } from "../modules/crypto-payments"
import { settleInTurn } from "../workflows/settle-in-turn"
import { sweep } from "../workflows/sweep"

const ROWS_PER_LOOK = 50
/** No new row is begun after this. What is left is the next tick's. */
const TICK_MS = 50_000

/**
 * Settles due rows, after the sweeps have made due the rows that a lost event would have made due. So a lost event, a
 * lost notification or a dead process costs time and never money.
 *
 * Reading the due rows leases none: each settle leases its row by a conditional update, and leased rows are not seen by
 * the next read. So every process that runs this takes rows that the others have not leased, until nothing is due.
 */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  const ledger = resolveLedger(container)
  await sweep(container)
  const endAt = Date.now() + TICK_MS
  const tried = new Set<string>()
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
