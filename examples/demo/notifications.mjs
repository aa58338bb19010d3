import { DemoProblem } from "./demo-problem.mjs"
import { httpClient } from "./http.mjs"

/**
 * What the sandbox tells about the notifications it sends, through its control API.
 *
 * @param {string} paymentLink
 * @param {AbortSignal} signal
 */
export function sentNotifications(paymentLink, signal) {
  const { origin, pathname } = new URL(paymentLink)
  const id = pathname.split("/").at(-1) ?? ""
  const control = httpClient(origin, {}, signal)
  return {
    /** When the first one left, by the sandbox's clock, which is this machine's. */
    async firstSentAt() {
      const all = await control.get("/control/notifications")
      const first = all.find((/** @type {any} */ { payment_request_id }) => payment_request_id === id)
      const at = first?.attempts[0]?.at
      if (!at) {
        throw new DemoProblem("The sandbox has sent no notification.")
      }
      return new Date(at)
    },
    /**
     * Sends the genuine notification again, all at once.
     *
     * @param {number} times
     * @returns {Promise<number[]>} what the store answered
     */
    async repeat(times) {
      const { statuses } = await control.post(`/control/payments/${id}/notify`, { times, parallel: true })
      return statuses
    },
  }
}
