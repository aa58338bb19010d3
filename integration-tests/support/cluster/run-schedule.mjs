// For `medusa exec`: one run of the job that Medusa runs every minute, in a process of its own.
import { setTimeout as delay } from "node:timers/promises"
import job from "../../../.medusa/server/src/jobs/reconcile-payment-requests.js"
import worker from "../../../.medusa/server/src/workflows/settle-worker.js"

export default async function runSchedule({ container }) {
  // A CommonJS module seen from here: its exports are the default.
  await job.default(container)
  // The process ends with this, and the worker of a store goes on.
  while (!worker.settleWorker.isIdle) {
    await delay(50)
  }
}
