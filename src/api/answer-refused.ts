import type { MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import type { Refused } from "../modules/crypto-payments/errors"

/** Else the data are invalid. */
const TYPES: Partial<Record<Refused["status"], string>> = {
  401: MedusaError.Types.UNAUTHORIZED,
  404: MedusaError.Types.NOT_FOUND,
  409: MedusaError.Types.CONFLICT,
  502: MedusaError.Types.UNEXPECTED_STATE,
  503: MedusaError.Types.UNEXPECTED_STATE,
}

/** Answers with what core's error handler does not give: the status, a stable code, and fields for a form. */
export function answerRefused<Answer>(res: MedusaResponse<Answer>, { status, body }: Refused): void {
  if ((status === 408 || status === 413) && !res.req.complete) {
    // The rest of the body is still being sent, so the connection cannot be used again.
    res.set("Connection", "close")
  }
  const refusing = res as MedusaResponse<Answer | Record<string, unknown>>
  refusing.status(status).json({ type: TYPES[status] ?? MedusaError.Types.INVALID_DATA, ...body })
}
