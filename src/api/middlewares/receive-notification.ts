import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import {
  parseSignedBody,
  PAYMENT_REQUEST_ID_PATTERN,
  verifyApprovalHash,
  type SignedBody,
} from "../../gateway"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import { describeError } from "../../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { settlePaymentRequestWorkflow } from "../../workflows"
import { readBody } from "./read-body"

const MAX_BYTES = 64 * 1024

/**
 * The gateway's notification: a knock on the door, never the truth. A genuine one makes the named request due and
 * settles it right after the answer; amount, currency and status are then read from the gateway.
 *
 * A middleware and not a route: a route at this path would replace core's for every provider, and core's answers 200
 * to anything.
 *
 * 200 recorded, or genuine but not about a request of ours · 400 not a notification · 401 wrong approval hash ·
 * 404 no such provider · 413 over 64 kB · 503 could not be recorded, send it again
 */
export async function receiveNotification(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const providerId = `pp_crypto_${req.params["id"] ?? ""}`
  const resolution = await ledger.resolveSettings(providerId)
  if (resolution === undefined) {
    answer(res, 404, MedusaError.Types.NOT_FOUND, "There is no such crypto payment provider.")
    return
  }
  if (!resolution.configured) {
    answer(
      res,
      503,
      MedusaError.Types.UNEXPECTED_STATE,
      "Crypto payments are not configured yet. Send it again later."
    )
    return
  }
  const bytes = await readBody(req, MAX_BYTES)
  if (bytes === undefined) {
    res.set("Connection", "close")
    answer(res, 413, MedusaError.Types.INVALID_DATA, "A notification is at most 64 kB.")
    return
  }
  const signed = parseNotificationBytes(bytes)
  if (signed === undefined) {
    answer(
      res,
      400,
      MedusaError.Types.INVALID_DATA,
      "Not a notification: JSON with `data` and `approval_hash` is expected."
    )
    return
  }
  if (!verifyApprovalHash(signed.data, signed.approvalHash, resolution.settings.secretKeys)) {
    warnOfRefusal(req.scope, providerId)
    answer(
      res,
      401,
      MedusaError.Types.UNAUTHORIZED,
      "The approval hash does not fit. Is this the secret key of the API that has this webhook URL?"
    )
    return
  }
  const paymentRequestId = signed.data["payment_request_id"]
  if (typeof paymentRequestId !== "string" || !PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)) {
    answer(
      res,
      400,
      MedusaError.Types.INVALID_DATA,
      "Not a notification: `payment_request_id` is missing or malformed."
    )
    return
  }
  await recordAndSettle(req.scope, res, ledger, { providerId, paymentRequestId })
}

async function recordAndSettle(
  container: MedusaContainer,
  res: MedusaResponse,
  ledger: CryptoPaymentsModuleService,
  { providerId, paymentRequestId }: { providerId: string; paymentRequestId: string }
): Promise<void> {
  let recorded: { id: string; isTerminal: boolean } | undefined
  try {
    recorded = await ledger.settlements.recordNotification(providerId, paymentRequestId)
  } catch {
    answer(
      res,
      503,
      MedusaError.Types.UNEXPECTED_STATE,
      "The notification could not be recorded. Send it again."
    )
    return
  }
  res.status(200).json({ received: true })
  if (recorded !== undefined && !recorded.isTerminal) {
    await settleNow(container, recorded.id)
  }
}

/** The answer is out and the row is due: if this breaks or the process dies, the next tick settles. */
async function settleNow(container: MedusaContainer, id: string): Promise<void> {
  try {
    await settlePaymentRequestWorkflow(container).run({ input: { id, trigger: "notification" } })
  } catch (error) {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .error(
        `crypto payment ${id}: settling after a notification failed (${describeError(error)}), it is tried again`
      )
  }
}

const lastWarningMs = new Map<string, number>()

/** A wrong secret is the likeliest mistake of a set-up, and forgeries may come in floods: one line a minute. */
function warnOfRefusal(container: MedusaContainer, providerId: string): void {
  const now = Date.now()
  if (now - (lastWarningMs.get(providerId) ?? 0) >= 60_000) {
    lastWarningMs.set(providerId, now)
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(`${providerId}: a notification was refused, its approval hash does not fit. Is secretKey right?`)
  }
}

function parseNotificationBytes(bytes: Buffer): SignedBody | undefined {
  try {
    return parseSignedBody(JSON.parse(bytes.toString("utf8")))
  } catch {
    // Not JSON, or not the two fields: one answer for both, and nothing of the body goes into it or into a log.
    return undefined
  }
}

function answer(res: MedusaResponse, status: number, type: string, message: string): void {
  res.status(status).json({ type, message })
}
