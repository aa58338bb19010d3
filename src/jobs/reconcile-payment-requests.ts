import type { MedusaContainer } from "@medusajs/framework/types"
import { TookTooLong, waitAtMost } from "../modules/crypto-payments/wait-at-most"
import { settleWorker } from "../workflows/settle-worker"
import { sweep } from "../workflows/sweep"

/** The job waits no longer for the worker, which goes on with what is left. */
const WAIT_MS = 50_000

/**
 * Settles due rows, after the sweeps have made due the rows that a lost event would have made due. So a lost event, a
 * lost notification or a dead process costs time and never money.
 */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  await sweep(container)
  try {
    await waitAtMost(WAIT_MS, settleWorker.drain(container))
  } catch (error) {
    if (!(error instanceof TookTooLong)) {
      throw error
    }
  }
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
