import type { MedusaContainer } from "@medusajs/framework/types"
import { untilTaken } from "../modules/crypto-payments/until-taken"
import { settleWorker } from "../workflows/settle-worker"
import { sweep } from "../workflows/sweep"

/** After this, the job ends and the worker continues. */
const WAIT_MS = 50_000

/** Runs the sweeps and settles due rows, so that a lost event or notification or a dead process only costs time. */
export default async function reconcilePaymentRequests(container: MedusaContainer): Promise<void> {
  await sweep(container)
  settleWorker.wake(container)
  await untilTaken(async () => await Promise.resolve(settleWorker.isIdle || undefined), WAIT_MS)
}

export const config = {
  name: "reconcile-payment-requests",
  schedule: "* * * * *",
}
