import { MedusaError } from "@medusajs/framework/utils"
import type { RefusalReason } from "../../modules/crypto-payments/health/provider-status"

const { INVALID_DATA, NOT_FOUND, UNAUTHORIZED, UNEXPECTED_STATE } = MedusaError.Types

interface Refusal {
  status: number
  type: string
  message: string
  /** What the webhook status says of it; null is not written down. */
  noted: RefusalReason | null
  /** The body may not have been read to its end, so the connection cannot be used again. */
  isBodyLeft?: true
}

const NO_NOTIFICATION = {
  status: 400,
  type: INVALID_DATA,
  message: "Not a notification: JSON with `data` and `approval_hash` is expected.",
}

/** Why a notification is not taken, with its answer. The gateway sends a refused one again. */
const REFUSALS = {
  not_recorded: {
    status: 503,
    type: UNEXPECTED_STATE,
    message: "The notification could not be recorded. Send it again.",
    noted: null,
  },
  unknown_provider: {
    status: 404,
    type: NOT_FOUND,
    message: "There is no such crypto payment provider.",
    noted: null,
  },
  not_configured: {
    status: 503,
    type: UNEXPECTED_STATE,
    message: "Crypto payments are not configured yet. Send it again later.",
    noted: "not_configured",
  },
  too_large: {
    status: 413,
    type: INVALID_DATA,
    message: "A notification is at most 64 kB.",
    noted: "too_large",
    isBodyLeft: true,
  },
  too_slow: {
    status: 408,
    type: INVALID_DATA,
    message: "The notification did not arrive within 10 seconds. Send it again.",
    noted: "too_slow",
    isBodyLeft: true,
  },
  no_notification: { ...NO_NOTIFICATION, noted: "malformed" },
  /** It does not try to be one: a gateway tries the address. */
  trial: { ...NO_NOTIFICATION, noted: null },
  wrong_secret: {
    status: 401,
    type: UNAUTHORIZED,
    message: "The approval hash does not match. Is this the secret key of the API that has this webhook URL?",
    noted: "wrong_secret",
  },
  value_not_text: {
    status: 401,
    type: UNAUTHORIZED,
    message: "The approval hash cannot be verified: each value of `data` has to be a string or null.",
    noted: "value_not_text",
  },
  no_request_id: {
    status: 400,
    type: INVALID_DATA,
    message: "Not a notification: `payment_request_id` is missing or malformed.",
    noted: "malformed",
  },
} as const satisfies Record<string, Refusal>

/** Ends the intake of a notification. */
export class NotificationRefused extends Error {
  override readonly name = "NotificationRefused"
  readonly refusal: Refusal

  constructor(reason: keyof typeof REFUSALS) {
    super(reason)
    this.refusal = REFUSALS[reason]
  }
}
