import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { PAYMENT_REQUEST_ID_PATTERN, verifyApprovalHash, type SignedBody } from "../../gateway"
import { resolveLedger } from "../../modules/crypto-payments"
import { SELF_TEST_ID } from "../../modules/crypto-payments/health/check-webhook"
import { sessionOfNote } from "../../modules/crypto-payments/reconciliation/match-listed"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import { isPaused } from "../../modules/crypto-payments/paused"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { warn } from "../../workflows/core/settling"
import { settleWorker } from "../../workflows/settle-worker"
import { answerRefused } from "../answer-refused"
import { NotificationRefused, readNotification } from "./read-notification"

/**
 * Receives the gateway's notification, which is only a trigger. A genuine one makes the named request due, and settles
 * it right after the answer unless it was read a moment ago; amount, currency and status are then read from the
 * gateway.
 *
 * A middleware and not a route: a route at this path would replace core's for every provider, and core's answers 200 to
 * anything.
 *
 * Several providers may share a gateway account, which has one webhook address. So a notification counts for every
 * provider whose own key verifies it, whatever the path. It never makes a row of another provider due.
 *
 * A notification about a request that has no row, because the answer to its creation was lost, changes nothing: nobody
 * has got that link, and the nightly comparison with the gateway's list finds the request.
 *
 * 200 recorded, or genuine but not about our request, or GET or HEAD, with which a gateway may try the address.
 * `NotificationRefused` has the other answers.
 */
export async function receiveNotification(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  if (req.method === "GET" || req.method === "HEAD") {
    res.status(200).json({ received: false })
    return
  }
  const ledger = resolveLedger(req.scope)
  const providerId = `${PROVIDER_PREFIX}${req.params["id"] ?? ""}`
  let taken: Awaited<ReturnType<typeof take>>
  try {
    taken = await take(req, ledger, providerId)
  } catch (error) {
    const refused = error instanceof NotificationRefused ? error : new NotificationRefused("not_recorded")
    if (refused !== error) {
      warn(req.scope, "crypto payments: a notification was not recorded", error)
    }
    answerRefused(res, refused)
    if (refused.noted !== undefined) {
      await ledger.statuses.noteRefused(providerId, refused.noted)
    }
    return
  }
  if (taken === "aborted") {
    // Nobody waits for an answer. The gateway repeats an unanswered notification.
    res.destroy()
    return
  }
  res.status(200).json({ received: true })
  if (taken === "self_test") {
    return
  }
  // If what follows is lost, the schedule settles the rows.
  const { recorded, receivers, ofFormerKey } = taken
  for (const receiver of receivers) {
    await ledger.statuses.noteReceived(receiver)
    if (ofFormerKey.includes(receiver)) {
      await ledger.statuses.noteReceived(receiver, "former_key_used_at")
    }
  }
  if (recorded.some(({ is_due }) => is_due)) {
    settleWorker.wake(req.scope)
  }
}

/**
 * @throws NotificationRefused when paused, the path's provider is unknown or has no key, or no key verifies the body
 */
async function take(req: MedusaRequest, ledger: CryptoPaymentsModuleService, providerId: string) {
  if (isPaused()) {
    throw new NotificationRefused("paused")
  }
  const keys = await ledger.settings.listNotificationKeys()
  const own = keys.get(providerId)
  if (own === undefined || own.length === 0) {
    throw new NotificationRefused(own === undefined ? "unknown_provider" : "not_configured")
  }
  const signed = await readNotification(req)
  if (signed === "aborted") {
    return signed
  }
  const verifiers = [...keys].flatMap(([id, secretKeys]) =>
    verifyApprovalHash(signed.data, signed.approvalHash, secretKeys) ? [id] : []
  )
  if (verifiers.length === 0) {
    const areTexts = Object.values(signed.data).every((value) => value === null || typeof value === "string")
    throw new NotificationRefused(areTexts ? "wrong_secret" : "value_not_text")
  }
  const isCurrent = ([current = ""]: string[]) =>
    verifyApprovalHash(signed.data, signed.approvalHash, current)
  const ofFormerKey = verifiers.filter((id) => !isCurrent(keys.get(id) ?? []))
  const recorded = await record(ledger, providerId, signed, verifiers)
  return recorded === "self_test" ? recorded : { ...recorded, ofFormerKey }
}

/**
 * Records a genuine notification. Its status decides only how soon the gateway is read again. A self-test creates no
 * row.
 *
 * @returns with the providers whose webhook has received it
 * @throws NotificationRefused when it names no payment request, or when only another provider's key verifies it and no
 *   row of that provider is named. Any other error means that it could not be recorded
 */
async function record(
  ledger: CryptoPaymentsModuleService,
  providerId: string,
  { data }: SignedBody,
  verifiers: string[]
) {
  const { payment_request_id: paymentRequestId, status, note } = data
  if (typeof paymentRequestId !== "string" || !PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)) {
    // It is genuine, so nothing damaged it: without the field, a gateway tries the address.
    throw new NotificationRefused(paymentRequestId === undefined ? "trial" : "no_request_id")
  }
  const isOwn = verifiers.includes(providerId)
  if (isOwn && SELF_TEST_ID.test(paymentRequestId)) {
    await ledger.statuses.noteSelfTest(providerId, paymentRequestId)
    return "self_test" as const
  }
  const reportsPaid = status === "PAID"
  const named = { paymentRequestId, reportsPaid, sessionId: sessionOfNote(note) }
  const recorded = await ledger.queue.recordNotification(verifiers, named)
  if (!isOwn && recorded.length === 0) {
    throw new NotificationRefused("wrong_secret")
  }
  const receivers = isOwn ? [providerId] : recorded.map(({ provider_id }) => provider_id)
  return { recorded, receivers }
}
