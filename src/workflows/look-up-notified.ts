import type { MedusaContainer } from "@medusajs/framework/types"
import { resolveLedger } from "../modules/crypto-payments"
import { sessionOfNote } from "../modules/crypto-payments/reconciliation/match-listed"
import { settleWorker } from "./settle-worker"
import { emptyReport } from "./list-report"
import { comparePage } from "./reconcile-gateway-list"
import { warn } from "./core/settling"

export interface NotifiedRequest {
  providerId: string
  paymentRequestId: string
  /** The note of the notification. It decides only whether the gateway is asked. */
  note: unknown
}

/**
 * A genuine notification named a request without a row. If its note names a session whose request got no answer, the
 * request is read at the gateway and taken over, as in the nightly comparison, which finds it anyway. Other
 * notifications, such as those of another shop on the account, cost no gateway call. At most ten such reads a minute in
 * this process, because a notification may be repeated.
 */
export async function lookUpNotified(
  container: MedusaContainer,
  { providerId, paymentRequestId, note }: NotifiedRequest
): Promise<void> {
  const ledger = resolveLedger(container)
  try {
    const sessionId = sessionOfNote(note)
    if (sessionId === null || !(await ledger.checks.mayLookUp(sessionId))) {
      return
    }
    const { client, origin, account } = await ledger.gateways.connect(providerId)
    const record = await client.readPaymentRequest(paymentRequestId)
    const report = emptyReport(providerId, await ledger.facts.now())
    const scope = { providerId, account, origin, origins: await ledger.settings.listOrigins() }
    const comparison = { lists: ledger.lists, scope, report }
    await comparePage(comparison, { paymentRequests: [record], unreadable: [] })
    for (const { id } of report.rows) {
      if (id !== null) {
        await ledger.queue.requestCheck(id, "notification")
      }
    }
    settleWorker.wake(container)
  } catch (error) {
    warn(container, `${providerId}: a notified request without a row could not be looked up`, error)
  }
}
