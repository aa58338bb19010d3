import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

/** Postgres refuses NUL in a text, and half of a surrogate pair in jsonb. */
const UNSTORABLE = /\0|\p{Surrogate}/u

/**
 * Refuses with 400 what Postgres would refuse with an error: in the path and the query of every route below it, however
 * a route reads them. A body is checked by `refuseUnstorableBody`, where it has been parsed.
 */
export function refuseUnstorableText(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  const path = decode(req.originalUrl.split("?")[0] ?? "")
  if (path === undefined) {
    throw new MedusaError(MedusaError.Types.INVALID_DATA, "The address is not percent-encoded UTF-8.", CODE)
  }
  refuse("The address", path)
  refuse("The query", req.query)
  next()
}

/** The same for a parsed body. */
export function refuseUnstorableBody(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  refuse("The body", req.body)
  next()
}

const CODE = "unstorable_text"

function refuse(place: string, value: unknown): void {
  if (holdsUnstorable(value)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `${place} holds a character that cannot be stored: NUL, or half of a surrogate pair.`,
      CODE
    )
  }
}

/** With a list of its own, not by recursion: a body may be nested deeper than the stack. */
function holdsUnstorable(value: unknown): boolean {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === "string" && UNSTORABLE.test(next)) {
      return true
    }
    if (typeof next === "object" && next !== null) {
      for (const [name, inner] of Object.entries(next)) {
        left.push(name, inner)
      }
    }
  }
  return false
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    // A URIError is how it says that this is no UTF-8.
    return undefined
  }
}
