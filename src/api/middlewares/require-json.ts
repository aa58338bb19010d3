import type { MedusaRequestHandler } from "@medusajs/framework/http"
import { Refused } from "../../modules/crypto-payments/errors"
import { answerRefused } from "../answer-refused"

const IS_JSON = /^application\/json *(?:;|$)/i

/**
 * Requires a body that is sent as JSON, also where a route takes no body. Core's parser takes forms as well, which
 * another site's page can send without asking. For JSON, the browser first asks the store, which answers by `adminCors`.
 */
export const requireJson: MedusaRequestHandler = (req, res, next) => {
  // Not Express' `req.is`, which ignores an empty body.
  if (IS_JSON.test(req.headers["content-type"] ?? "")) {
    next()
    return
  }
  const message = "Send the body as JSON, with the header Content-Type: application/json."
  answerRefused(res, new Refused(415, { message }))
}
