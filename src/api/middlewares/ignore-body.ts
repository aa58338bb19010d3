import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { Refused } from "../../modules/crypto-payments/errors"
import { answerRefused } from "../answer-refused"
import { readBody } from "./read-body"

/** A form of the pay page has no fields. */
const BODY_LIMITS = { maxBytes: 4 * 1024, maxDroppedBytes: 1024 * 1024, timeoutMs: 10_000 }
const TOO_LARGE = new Refused(413, { message: "This form has no fields. Send it without a body." })

/**
 * Reads a body of any type to its end, in place of core's parser, and drops it. Unread, it would keep the connection
 * for minutes. What another middleware of the store has read is gone already.
 */
export async function ignoreBody(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const read = await readBody(req, BODY_LIMITS)
  if (read === "aborted") {
    // Nobody waits for an answer.
    res.destroy()
  } else if (read === "too_large" || read === "too_slow") {
    answerRefused(res, TOO_LARGE)
  } else {
    next()
  }
}
