import { isDeepStrictEqual } from "node:util"
import type { MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import {
  decodeBody,
  parseJson,
  parseSignedBody,
  PAYMENT_REQUEST_ID_PATTERN,
  verifyApprovalHash,
  type SignedBody,
} from "../../gateway"
import { resolveLedger } from "../../modules/crypto-payments"
import { SELF_TEST_ID } from "../../modules/crypto-payments/health/check-webhook"
import type { RefusalReason } from "../../modules/crypto-payments/health/provider-status"
import type { NotifiedRow } from "../../modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { lookUpNotified } from "../../workflows/look-up-notified"
import { settleInTurn } from "../../workflows/settle-in-turn"
import { NotificationRefused } from "./notification-refused"
import { readBody } from "./read-body"

/** The keys of each registered provider, by its id. */
type KeysOfProviders = ReadonlyMap<string, readonly string[]>

/** A notification has about one kilobyte. */
const BODY_LIMITS = { maxBytes: 64 * 1024, maxDroppedBytes: 2 * 1024 * 1024, timeoutMs: 10_000 }
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
 * 200 recorded, or genuine but not about a request of ours, or GET and HEAD, with which a gateway may try the address ·
 * 400 not a notification · 401 wrong approval hash · 404 no such provider · 408 body slower than 10 seconds · 413 over 64 kB · 503 could not be recorded, send it again
 */
export async function receiveNotification(req: MedusaRequest, res: MedusaResponse): Promise<void> {
  if (req.method === "GET" || req.method === "HEAD") {
    res.status(200).json({ received: false })
    return
  }
  const intake: Intake = {
    container: req.scope,
    ledger: resolveLedger(req.scope),
    providerId: `pp_crypto_${req.params["id"] ?? ""}`,
  }
  let taken: Taken
  try {
    const keys = await requireKeys(intake)
    const signed = parseNotification(await readNotification(req))
    const notification = identify(signed, await requireVerifiers(intake, signed, keys))
    taken = await take(intake, notification)
  } catch (error) {
    await refuse(req, res, intake, error)
    return
  }
  res.status(200).json({ received: true })
  await followUp(intake, taken)
}

/** @throws what is no refusal */
async function refuse(
  req: MedusaRequest,
  res: MedusaResponse,
  intake: Intake,
  error: unknown
): Promise<void> {
  if (error instanceof SenderGone) {
    // There is nobody to answer. The gateway repeats an unanswered notification.
    res.destroy()
    return
  }
  if (!(error instanceof NotificationRefused)) {
    throw error
  }
  const { status, type, message, noted, isBodyLeft = false } = error.refusal
  if (isBodyLeft && !req.complete) {
    res.set("Connection", "close")
  }
  res.status(status).json({ type, message })
  if (noted !== null) {
    await noteRefusal(intake, noted)
  }
}

/** What every step of the intake needs. */
interface Intake {
  container: MedusaContainer
  ledger: CryptoPaymentsModuleService
  /** The provider of the path. */
  providerId: string
}

/** A genuine notification: what it names, and the providers whose keys verify it. */
interface Notification {
  paymentRequestId: string
  approvalHash: string
  /** Only how soon the gateway is read again follows from it. */
  reportsPaid: boolean
  note: unknown
  verifiers: string[]
}

/** What became of a notification: rows that it is about, or nothing to follow up. */
type Taken = { recorded: NotifiedRow[]; notification: Notification } | "self_test"

/** The sender hung up before the body was whole. */
class SenderGone extends Error {}

/** @throws NotificationRefused when the path's provider is unknown or has no key */
async function requireKeys({ ledger, providerId }: Intake): Promise<KeysOfProviders> {
  const keys = await readKeys(ledger)
  if (keys === undefined) {
    // Then it could not be recorded either.
    throw new NotificationRefused("not_recorded")
  }
  const own = keys.get(providerId)
  if (own === undefined) {
    throw new NotificationRefused("unknown_provider")
  }
  if (own.length === 0) {
    throw new NotificationRefused("not_configured")
  }
  return keys
}

/** @throws NotificationRefused when the body is too large, decompressed too, or too slow; SenderGone */
async function readNotification(req: MedusaRequest): Promise<Buffer> {
  const bytes = await readBody(req, BODY_LIMITS)
  if (bytes === "aborted") {
    throw new SenderGone()
  }
  const body = Buffer.isBuffer(bytes)
    ? await decodeBody(bytes, req.headers["content-encoding"] ?? "", BODY_LIMITS.maxBytes)
    : bytes
  if (!Buffer.isBuffer(body)) {
    throw new NotificationRefused(body)
  }
  return body
}

/** @throws NotificationRefused when it is not JSON, or not the two fields: nothing of the body goes into the answer */
function parseNotification(bytes: Buffer): SignedBody {
  let body: unknown
  try {
    body = bytes.length === 0 ? {} : parseJson(bytes)
    return parseSignedBody(body)
  } catch {
    throw new NotificationRefused(isTrial(body) ? "trial" : "no_notification")
  }
}

/** Whether it is an object with nothing of a notification, such as `{"test":true}`. */
function isTrial(body: unknown): boolean {
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body)
  return isObject && !("data" in body) && !("approval_hash" in body)
}

/**
 * The providers whose own key verifies a notification. When the key of the path's provider does not, another server may
 * have saved a new one a moment ago: that is looked up once before the notification is refused.
 *
 * @throws NotificationRefused when no key verifies it
 */
async function requireVerifiers(
  { ledger, providerId }: Intake,
  signed: SignedBody,
  keys: KeysOfProviders
): Promise<string[]> {
  let verifiers = verifiersAmong(keys, signed)
  if (!verifiers.includes(providerId)) {
    await ledger.settings.reread()
    const current = await readKeys(ledger)
    if (current !== undefined && !isDeepStrictEqual(current, keys)) {
      verifiers = verifiersAmong(current, signed)
    }
  }
  if (verifiers.length === 0) {
    const areTexts = Object.values(signed.data).every((value) => value === null || typeof value === "string")
    throw new NotificationRefused(areTexts ? "wrong_secret" : "value_not_text")
  }
  return verifiers
}

/** @throws NotificationRefused when the signed data name no payment request */
function identify({ data, approvalHash }: SignedBody, verifiers: string[]): Notification {
  const paymentRequestId = data["payment_request_id"]
  if (typeof paymentRequestId !== "string" || !PAYMENT_REQUEST_ID_PATTERN.test(paymentRequestId)) {
    throw new NotificationRefused("no_request_id")
  }
  const reportsPaid = data["status"] === "PAID"
  return { paymentRequestId, approvalHash, reportsPaid, note: data["note"], verifiers }
}

/** @throws NotificationRefused when it cannot be recorded, or only another provider's key verifies it, and no row of that */
async function take(intake: Intake, notification: Notification): Promise<Taken> {
  const { ledger, providerId } = intake
  const { verifiers, note: _, ...named } = notification
  const isOwn = verifiers.includes(providerId)
  if (isOwn && (await isSelfTest(intake, named.paymentRequestId))) {
    return "self_test"
  }
  let recorded: NotifiedRow[]
  try {
    recorded = await ledger.queue.recordNotification(verifiers, named)
  } catch {
    throw new NotificationRefused("not_recorded")
  }
  if (!isOwn && recorded.length === 0) {
    throw new NotificationRefused("wrong_secret")
  }
  return { recorded, notification }
}

/** After the answer: what the webhook status shows, and the settles. The schedule does the same when these are lost. */
async function followUp({ container, ledger, providerId }: Intake, taken: Taken): Promise<void> {
  if (taken === "self_test") {
    return
  }
  const { recorded, notification } = taken
  const { verifiers, paymentRequestId, note } = notification
  for (const receiver of verifiers.includes(providerId)
    ? [providerId]
    : recorded.map(({ provider_id }) => provider_id)) {
    await writeDown(container, async () => await ledger.statuses.noteReceived(receiver))
  }
  if (recorded.length === 0) {
    void lookUpNotified(container, { providerId, paymentRequestId, note })
  }
  for (const { id, is_due } of recorded) {
    if (is_due) {
      void settleInTurn(container, id, "notification")
    }
  }
}

function verifiersAmong(keys: KeysOfProviders, { data, approvalHash }: SignedBody): string[] {
  return [...keys].flatMap(([providerId, own]) =>
    verifyApprovalHash(data, approvalHash, own) ? [providerId] : []
  )
}

/** The keys a notification to each provider may be signed with; undefined when the database cannot be asked. */
async function readKeys(ledger: CryptoPaymentsModuleService): Promise<KeysOfProviders | undefined> {
  try {
    return await ledger.settings.listNotificationKeys()
  } catch {
    return undefined
  }
}

/** The webhook's self-test ends here and never reaches the ledger. A notification that was not expected goes on. */
async function isSelfTest({ ledger, providerId }: Intake, paymentRequestId: string): Promise<boolean> {
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
/** The likeliest mistakes of a set-up are also logged. */
const WARNINGS: Partial<Record<RefusalReason, string>> = {
  wrong_secret: "its approval hash does not match. Is secretKey right?",
  value_not_text: "a value in it is neither text nor null, so its approval hash cannot be verified",
}

/** Written down for the webhook status after the answer is out. Forgeries may come in floods, so one line a minute. */
async function noteRefusal({ container, ledger, providerId }: Intake, reason: RefusalReason): Promise<void> {
  const now = Date.now()
  const warning = WARNINGS[reason]
  if (warning !== undefined && now - (lastWarningMs.get(providerId) ?? 0) >= 60_000) {
    lastWarningMs.set(providerId, now)
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(`${providerId}: a notification was refused (${reason}), ${warning}`)
  }
  await writeDown(container, async () => await ledger.statuses.noteRefused(providerId, reason))
}

/** Facts for people: that one cannot be written must not change an answer. */
async function writeDown(container: MedusaContainer, write: () => Promise<void>): Promise<void> {
  try {
    await write()
  } catch {
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn("crypto payments: the time of a notification could not be written down")
  }
}
