import type { MedusaContainer } from "@medusajs/framework/types"
import { isPaused } from "../modules/crypto-payments/paused"
import { settleWorker } from "../workflows/settle-worker"
import { sweep } from "../workflows/sweep"

/**
 * Runs the sweeps and has the worker settle due rows, so that a lost event or notification or a dead process only costs
 * time. It does not wait for the worker: with Medusa's Redis engine, one job that lasts holds up all jobs of the store.
 */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  if (isPaused()) {
    return
  }
  // What is due does not wait for a sweep that hangs.
  settleWorker.wake(container)
  await sweep(container)
  settleWorker.wake(container)
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
