import type { MedusaRequest } from "@medusajs/framework/http"
import { parseJson, parseSignedBody, type SignedBody } from "../../gateway"
import { Refused } from "../../modules/crypto-payments/errors"
import type { RefusalReason } from "../../modules/crypto-payments/health/provider-status"
import { readBody } from "./read-body"

/** A notification has about one kilobyte. */
const BODY_LIMITS = { maxBytes: 64 * 1024, maxDroppedBytes: 2 * 1024 * 1024, timeoutMs: 10_000 }

type Refusal = [status: Refused["status"], message: string, noted?: RefusalReason]

const NO_NOTIFICATION = "Not a notification: JSON with `data` and `approval_hash` is expected."

/** The answer to a refused notification and the reason in the webhook status, if any. The gateway sends it again. */
const REFUSALS = {
  not_recorded: [503, "The notification could not be recorded. Send it again."],
  unknown_provider: [404, "There is no such crypto payment provider."],
  /** The gateway may send it again. If it does not, the row is still due when the store goes on. */
  paused: [503, "Crypto payments are paused in this store. Send it again later."],
  not_configured: [503, "Crypto payments are not configured yet. Send it again later.", "not_configured"],
  too_large: [413, "A notification is at most 64 kB.", "too_large"],
  too_slow: [408, "The notification did not arrive within 10 seconds. Send it again.", "too_slow"],
  no_notification: [400, NO_NOTIFICATION, "malformed"],
  already_read: [
    503,
    "A middleware of the store has read the notification and left nothing that can be verified. Send it again later.",
    "already_read",
  ],
  /** A gateway tries the address, as some do when it is registered: this names no payment request. */
  trial: [400, NO_NOTIFICATION],
  wrong_secret: [
    401,
    "The approval hash does not match. Is this the secret key of the API that has this webhook URL?",
    "wrong_secret",
  ],
  value_not_text: [
    401,
    "The approval hash cannot be verified: each value of `data` has to be a string or null.",
    "value_not_text",
  ],
  no_request_id: [400, "Not a notification: `payment_request_id` is malformed.", "malformed"],
} satisfies Record<string, Refusal>

export class NotificationRefused extends Refused {
  readonly noted: RefusalReason | undefined

  constructor(reason: keyof typeof REFUSALS) {
    const [status, message, noted]: Refusal = REFUSALS[reason]
    super(status, { message })
    this.noted = noted
  }
}

/** @throws NotificationRefused; nothing of the body goes into the answer */
export async function readNotification(req: MedusaRequest): Promise<SignedBody | "aborted"> {
  const bytes = await readBody(req, BODY_LIMITS)
  if (!Buffer.isBuffer(bytes)) {
    if (bytes === "aborted") {
      return bytes
    }
    throw new NotificationRefused(bytes)
  }
  if (isTrial(bytes.toString("latin1"))) {
    throw new NotificationRefused("trial")
  }
  try {
    return parseSignedBody(parseJson(bytes))
  } catch {
    throw new NotificationRefused("no_notification")
  }
}

/** A text that names no payment request. What is cut off or compressed may be a notification. */
function isTrial(body: string): boolean {
  return !/payment_request_id|[\0\x80-\xff]/.test(body) && !/^\s*\{[^}]*$/.test(body)
}
