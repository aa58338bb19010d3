import { MedusaError } from "@medusajs/framework/utils"
import type { RefusalReason } from "../../modules/crypto-payments/health/provider-status"

const TYPES = {
  400: MedusaError.Types.INVALID_DATA,
  401: MedusaError.Types.UNAUTHORIZED,
  404: MedusaError.Types.NOT_FOUND,
  408: MedusaError.Types.INVALID_DATA,
  413: MedusaError.Types.INVALID_DATA,
  503: MedusaError.Types.UNEXPECTED_STATE,
} as const

interface Refusal {
  status: keyof typeof TYPES
  message: string
  /** What the webhook status says of it; nothing is written down without it. */
  noted?: RefusalReason
}

const NO_NOTIFICATION = "Not a notification: JSON with `data` and `approval_hash` is expected."

/** Why a notification is not taken, with its answer. The gateway sends a refused one again. */
const REFUSALS = {
  not_recorded: { status: 503, message: "The notification could not be recorded. Send it again." },
  unknown_provider: { status: 404, message: "There is no such crypto payment provider." },
  not_configured: {
    status: 503,
    message: "Crypto payments are not configured yet. Send it again later.",
    noted: "not_configured",
  },
  too_large: { status: 413, message: "A notification is at most 64 kB.", noted: "too_large" },
  too_slow: {
    status: 408,
    message: "The notification did not arrive within 10 seconds. Send it again.",
    noted: "too_slow",
  },
  no_notification: { status: 400, message: NO_NOTIFICATION, noted: "malformed" },
  /** It does not try to be one: a gateway tries the address. */
  trial: { status: 400, message: NO_NOTIFICATION },
  wrong_secret: {
    status: 401,
    message: "The approval hash does not match. Is this the secret key of the API that has this webhook URL?",
    noted: "wrong_secret",
  },
  value_not_text: {
    status: 401,
    message: "The approval hash cannot be verified: each value of `data` has to be a string or null.",
    noted: "value_not_text",
  },
  no_request_id: {
    status: 400,
    message: "Not a notification: `payment_request_id` is missing or malformed.",
    noted: "malformed",
  },
} as const satisfies Record<string, Refusal>

/** Ends the intake of a notification. */
export class NotificationRefused extends Error {
  readonly refusal: Refusal & { type: string }

  constructor(reason: keyof typeof REFUSALS) {
    super(reason)
    this.refusal = { ...REFUSALS[reason], type: TYPES[REFUSALS[reason].status] }
  }
}
