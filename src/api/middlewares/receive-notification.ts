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
import { SELF_TEST_ID } from "../../modules/crypto-payments/health/check-webhook"
import type { RefusalReason } from "../../modules/crypto-payments/health/provider-status"
import type { NotifiedRow } from "../../modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { lookUpNotified } from "../../workflows/look-up-notified"
import { settleInTurn } from "../../workflows/settle-queue"
import { readBody } from "./read-body"

/** The keys of each registered provider, by its id. */
type KeysOfProviders = ReadonlyMap<string, readonly string[]>

/** A notification has about one kilobyte. */
const BODY_LIMITS = { maxBytes: 64 * 1024, maxDroppedBytes: 2 * 1024 * 1024, timeoutMs: 10_000 }
const NOT_RECORDED = "The notification could not be recorded. Send it again."
const REFUSAL_TYPES: Record<RefusalReason, string> = {
  not_configured: MedusaError.Types.UNEXPECTED_STATE,
  too_large: MedusaError.Types.INVALID_DATA,
  malformed: MedusaError.Types.INVALID_DATA,
  wrong_secret: MedusaError.Types.UNAUTHORIZED,
}

/**
 * The gateway's notification. It is only a trigger, and decides nothing. A genuine one makes the named request due and
 * settles it right after the answer; amount, currency and status are then read from the gateway.
 *
 * A middleware and not a route: a route at this path would replace core's for every provider, and core's answers 200
 * to anything.
 *
 * Several providers may share a gateway account, which has one webhook address. So a notification counts for every
 * provider whose own key verifies it, whatever path it was sent to. A row of another provider is never made due by it.
 *
 * 200 recorded, or genuine but not about a request of ours · 400 not a notification · 401 wrong approval hash ·
 * 404 no such provider · 408 body slower than 10 seconds · 413 over 64 kB · 503 could not be recorded, send it again
 */
export async function receiveNotification(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  const ledger = req.scope.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const providerId = `pp_crypto_${req.params["id"] ?? ""}`
  const keys = await readKeys(ledger)
  if (keys === "unknown") {
    answer(res, 503, MedusaError.Types.UNEXPECTED_STATE, NOT_RECORDED)
    return
  }
  const ownKeys = keys.get(providerId)
  if (ownKeys === undefined) {
    answer(res, 404, MedusaError.Types.NOT_FOUND, "There is no such crypto payment provider.")
    return
  }
  const refuse = async (reason: RefusalReason, status: number, message: string): Promise<void> => {
    answer(res, status, REFUSAL_TYPES[reason], message)
    await noteRefusal(req.scope, ledger, providerId, reason)
  }
  if (ownKeys.length === 0) {
    await refuse("not_configured", 503, "Crypto payments are not configured yet. Send it again later.")
    return
  }
  const bytes = await readBody(req, BODY_LIMITS)
  if (bytes === "aborted") {
    // Nobody is there to be answered. The gateway sends a notification again that was not answered.
    res.destroy()
    return
  }
  if (bytes === "too_large" || bytes === "too_slow") {
    if (!req.complete) {
      res.set("Connection", "close")
    }
    await (bytes === "too_large"
      ? refuse("too_large", 413, "A notification is at most 64 kB.")
      : refuse("malformed", 408, "The notification did not arrive within 10 seconds. Send it again."))
    return
  }
  const signed = parseNotificationBytes(bytes)
  if (signed === undefined) {
    await refuse("malformed", 400, "Not a notification: JSON with `data` and `approval_hash` is expected.")
    return
  }
  const verifiers = await findVerifiers(ledger, providerId, signed, keys)
  const refuseHash = async (): Promise<void> => {
    await refuse(
      "wrong_secret",
      401,
      "The approval hash does not match. Is this the secret key of the API that has this webhook URL?"
    )
  }
  if (verifiers.length === 0) {
    await refuseHash()
    return
  }
  const paymentRequestId = signed.data["payment_request_id"]
  if (typeof paymentRequestId !== "string" || !PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)) {
    await refuse("malformed", 400, "Not a notification: `payment_request_id` is missing or malformed.")
    return
  }
  const isOwn = verifiers.includes(providerId)
  if (isOwn && (await isSelfTest(ledger, providerId, paymentRequestId))) {
    res.status(200).json({ received: true })
    return
  }
  let recorded: NotifiedRow[]
  try {
    recorded = await ledger.queue.recordNotification(verifiers, {
      paymentRequestId,
      approvalHash: signed.approvalHash,
      // Only how soon the gateway is read again follows from it.
      reportsPaid: signed.data["status"] === "PAID",
    })
  } catch {
    answer(res, 503, MedusaError.Types.UNEXPECTED_STATE, NOT_RECORDED)
    return
  }
  if (!isOwn && recorded.length === 0) {
    // Only another provider's key verifies it, and no row of that provider is meant.
    await refuseHash()
    return
  }
  res.status(200).json({ received: true })
  for (const receiver of isOwn ? [providerId] : recorded.map(({ provider_id }) => provider_id)) {
    await note(req.scope, async () => await ledger.statuses.noteReceived(receiver))
  }
  if (recorded.length === 0) {
    void lookUpNotified(req.scope, { providerId, paymentRequestId, note: signed.data["note"] })
  }
  for (const { id, is_due } of recorded) {
    if (is_due) {
      void settleInTurn(req.scope, id, "notification")
    }
  }
}

/**
 * The providers whose own key verifies a notification. When the key of the path's provider does not, another server may
 * have saved a new one a moment ago: that is looked up once before the notification is refused.
 */
async function findVerifiers(
  ledger: CryptoPaymentsModuleService,
  providerId: string,
  signed: SignedBody,
  keys: KeysOfProviders
): Promise<string[]> {
  const verifiers = verifiersAmong(keys, signed)
  if (verifiers.includes(providerId)) {
    return verifiers
  }
  await ledger.rereadSettings()
  const current = await readKeys(ledger)
  return current === "unknown" ? verifiers : verifiersAmong(current, signed)
}

function verifiersAmong(keys: KeysOfProviders, { data, approvalHash }: SignedBody): string[] {
  return [...keys].flatMap(([providerId, own]) =>
    verifyApprovalHash(data, approvalHash, own) ? [providerId] : []
  )
}

/** The keys a notification to each provider may be signed with; "unknown" when the database cannot be asked. */
async function readKeys(ledger: CryptoPaymentsModuleService): Promise<KeysOfProviders | "unknown"> {
  try {
    return await ledger.listNotificationKeys()
  } catch {
    // Then it could not be recorded either; the gateway sends it again.
    return "unknown"
  }
}

/** The webhook's self-test ends here and never reaches the ledger. A notification that was not expected goes on. */
async function isSelfTest(
  ledger: CryptoPaymentsModuleService,
  providerId: string,
  paymentRequestId: string
): Promise<boolean> {
  try {
    return (
      SELF_TEST_ID.test(paymentRequestId) &&
      (await ledger.statuses.takeSelfTest(providerId, paymentRequestId))
    )
  } catch {
    // The database is away: recording says so, with the right answer.
    return false
  }
}

const lastWarningMs = new Map<string, number>()

/** Written down for the webhook doctor after the answer is out. A wrong secret is also logged: it is a set-up's likeliest mistake, and forgeries may come in floods, so one line a minute. */
async function noteRefusal(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  providerId: string,
  reason: RefusalReason
): Promise<void> {
  const now = Date.now()
  if (reason === "wrong_secret" && now - (lastWarningMs.get(providerId) ?? 0) >= 60_000) {
    lastWarningMs.set(providerId, now)
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(
        `${providerId}: a notification was refused (wrong_secret), its approval hash does not match. Is secretKey right?`
      )
  }
  await note(container, async () => await ledger.statuses.noteRefused(providerId, reason))
}

/** Facts for people: that one cannot be written must not change an answer. */
async function note(container: MedusaContainer, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn("crypto payments: the time of a notification could not be written down")
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
