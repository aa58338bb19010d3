import { DemoProblem } from "./demo-problem.mjs"
import { httpClient } from "./http.mjs"

/**
 * What the sandbox knows of one payment request, through its control API.
 *
 * @param {string} paymentLink
 * @param {AbortSignal} signal
 */
export function paymentRequest(paymentLink, signal) {
  const { origin, pathname } = new URL(paymentLink)
  const id = pathname.split("/").at(-1) ?? ""
  const control = httpClient(origin, {}, signal)
  return {
    /** @returns {Promise<string>} what was paid, as "0.0057 ETH" */
    async paid() {
      const record = await control.get(`/control/payments/${id}`)
      return `${String(Number(record.payment_amount))} ${record.payment_currency}`
    },
    /** When the first notification left, by the sandbox's clock, which is this machine's. */
    async notifiedAt() {
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
    async notifyAgain(times) {
      const { statuses } = await control.post(`/control/payments/${id}/notify`, { times, parallel: true })
      return statuses
    },
  }
}
