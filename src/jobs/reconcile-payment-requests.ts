import type { MedusaContainer } from "@medusajs/framework/types"
import { TookTooLong, waitAtMost } from "../modules/crypto-payments/wait-at-most"
import { settleWorker } from "../workflows/settle-worker"
import { sweep } from "../workflows/sweep"

/** After this, the job ends and the worker continues. */
const WAIT_MS = 50_000

/** Runs the sweeps and settles due rows, so that a lost event or notification or a dead process only costs time. */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  await sweep(container)
  await waitAtMost(WAIT_MS, settleWorker.drain(container)).catch((error: unknown) => {
    if (!(error instanceof TookTooLong)) {
      throw error
    }
  })
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
