import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"
import { parseJson } from "../../gateway"
import { readBody } from "./read-body"

/** As much as core's own parser takes. */
const BODY_LIMITS = { maxBytes: 100 * 1024, maxDroppedBytes: 1024 * 1024, timeoutMs: 10_000 }
/** No body of ours has more than four. Validators recurse, and end with the stack. */
const MOST_LEVELS = 20
const IS_JSON = /^application\/json *(?:;|$)/i

/**
 * Reads a JSON body in place of core's parser, after the login was checked. Core's writes a line to the log for each
 * client that hangs up in the middle of a body, and takes forms, which another site's page can send without asking:
 * for JSON, the browser first asks the store, which answers by `adminCors`.
 *
 * 400 not JSON, or nested too deep · 408 slower than 10 seconds · 413 over 100 kB · 415 not sent as JSON
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
  if (bytes === "too_large" || bytes === "too_slow") {
    if (!req.complete) {
      res.set("Connection", "close")
    }
    const message =
      bytes === "too_large"
        ? "A body is at most 100 kB."
        : "The body did not arrive within 10 seconds. Send it again."
    res.status(bytes === "too_large" ? 413 : 408).json({ type: MedusaError.Types.INVALID_DATA, message })
    return
  }
  // Also of an empty body, of which Express' `req.is` does not tell.
  if (!IS_JSON.test(req.headers["content-type"] ?? "")) {
    const message = "Send the body as JSON, with the header Content-Type: application/json."
    res.status(415).json({ type: MedusaError.Types.INVALID_DATA, message })
    return
  }
  req.body = parse(bytes)
  next()
}

function parse(bytes: Buffer): unknown {
  if (bytes.length === 0) {
    return {}
  }
  let body: unknown
  try {
    body = parseJson(bytes)
  } catch {
    // The parser's own words quote the body.
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "The body is not JSON.", "not_json")
  }
  if (isDeeperThan(body, MOST_LEVELS)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `The body has objects or lists in more than ${String(MOST_LEVELS)} levels.`,
      "too_deep"
    )
  }
  return body
}

/** Level by level, not by recursion: a body may be nested deeper than the stack. */
function isDeeperThan(value: unknown, mostLevels: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > mostLevels) {
      return true
    }
    level = level.flatMap((container): unknown[] => Object.values(container)).filter(isContainer)
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
