import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import { describeError } from "../modules/crypto-payments/errors"
import { sessionOfNote } from "../modules/crypto-payments/reconciliation/match-listed"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { settleInTurn } from "./settle-queue"
import { emptyReport } from "./steps/list-report"
import { comparePage } from "./steps/reconcile-list"

export interface NotifiedRequest {
  providerId: string
  paymentRequestId: string
  /** The note of the notification. It decides only whether the gateway is asked. */
  note: unknown
}

/**
 * A genuine notification named a request that has no row. If its note names a session whose request was never answered,
 * the request is read at the gateway and taken over, as the nightly comparison would do. Other notifications, such as
 * those of another shop on the same account, cost no gateway call.
 *
 * Nothing depends on it: the nightly comparison finds the same request.
 */
export async function lookUpNotified(
  container: MedusaContainer,
  { providerId, paymentRequestId, note }: NotifiedRequest
): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  try {
    const sessionId = typeof note === "string" ? sessionOfNote(note) : null
    if (sessionId === null || !(await ledger.lists.isAwaitingRequest(sessionId))) {
      return
    }
    const { client, origin, account } = await ledger.openGateway(providerId)
    const record = await client.readPaymentRequest(paymentRequestId)
    const report = emptyReport(providerId, await ledger.lists.now())
    const comparison = { lists: ledger.lists, scope: { providerId, account, origin }, report }
    await comparePage(comparison, { paymentRequests: [record], unreadable: [] })
    for (const { id } of report.rows) {
      if (id !== null) {
        await settleInTurn(container, id, "notification")
      }
    }
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(
        `${providerId}: a notified request without a row could not be looked up (${describeError(error)})`
      )
  }
}
