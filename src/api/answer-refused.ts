import type { MedusaResponse } from "@medusajs/framework/http"
import type { Refused } from "../modules/crypto-payments/errors"

/** Answers with what core's error handler does not give: the status, a stable code, and fields for a form. */
export function answerRefused<Answer>(res: MedusaResponse<Answer>, { status, type, body }: Refused): void {
  if ((status === 408 || status === 413) && !res.req.complete) {
    // The rest of the body is still being sent, so the connection cannot be used again.
    res.set("Connection", "close")
  }
  const refusing = res as MedusaResponse<Answer | Record<string, unknown>>
  refusing.status(status).json({ type, ...body })
}
