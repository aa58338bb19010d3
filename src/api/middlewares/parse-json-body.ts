import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { parseJson } from "../../gateway"
import { invalidData, Refused } from "../../modules/crypto-payments/errors"
import { answerRefused } from "../answer-refused"
import { readBody } from "./read-body"
import { refuseUnusableBody } from "./refuse-unusable-input"

/** As much as core's own parser takes. */
const BODY_LIMITS = { maxBytes: 100 * 1024, maxDroppedBytes: 1024 * 1024, timeoutMs: 10_000 }
const UNREAD = {
  already_read: new Refused(503, {
    message: "A middleware of the store has read the body. Let it skip /admin/crypto-payments.",
  }),
  too_large: new Refused(413, { message: "A body is at most 100 kB." }),
  too_slow: new Refused(408, { message: "The body did not arrive within 10 seconds. Send it again." }),
}
const NOT_JSON = new Refused(415, {
  message: "Send the body as JSON, with the header Content-Type: application/json.",
})
const IS_JSON = /^application\/json *(?:;|$)/i

/**
 * Reads a JSON body after the login was checked, in place of core's parser. Core's parser logs each client that
 * disconnects in the middle of a body. It also takes forms, which another site's page can send without asking; for
 * JSON, the browser first asks the store, which answers by `adminCors`.
 */
export async function parseJsonBody(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): Promise<void> {
  const bytes = await readBody(req, BODY_LIMITS)
  if (bytes === "aborted") {
    // The client has disconnected, so there is no answer.
    res.destroy()
    return
  }
  // Also for an empty body, which Express' `req.is` ignores.
  const isJson = IS_JSON.test(req.headers["content-type"] ?? "")
  if (!Buffer.isBuffer(bytes) || !isJson) {
    answerRefused(res, Buffer.isBuffer(bytes) ? NOT_JSON : UNREAD[bytes])
    return
  }
  try {
    req.body = bytes.length === 0 ? {} : parseJson(bytes)
  } catch {
    // The parser's own message quotes the body.
    throw invalidData("The body is not JSON.", "not_json")
  }
  refuseUnusableBody(req.body)
  next()
}
