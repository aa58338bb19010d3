// For `medusa exec`: one run of the job that Medusa runs every minute, in a process of its own.
import job from "../../../.medusa/server/src/jobs/reconcile-payment-requests.js"

/** @param {{container: import("@medusajs/framework/types").MedusaContainer}} args */
export default async function runSchedule({ container }) {
  // A CommonJS module seen from here: its exports are the default.
  await job.default(container)
}
