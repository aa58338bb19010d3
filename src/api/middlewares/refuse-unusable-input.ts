import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

/** Postgres refuses NUL in a text, and half of a surrogate pair in jsonb. */
const UNSTORABLE = /\0|\p{Surrogate}/u
/** Codes of the answers. */
const UNSTORABLE_TEXT = "unstorable_text"
const UNUSABLE_NAME = "unusable_name"

/**
 * Refuses with 400 a webhook's address that is not percent-encoded UTF-8, such as `/hooks/payment/crypto_%ff`, or that
 * contains NUL. Express throws when it decodes the first, and core answers that with 500 and a stack in the log. No
 * provider has a name like the second, and core would look for it later, with an error in the log.
 */
export function refuseUnusableAddress(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  refuse("The address", decodedPath(req))
  next()
}

/**
 * Refuses with 400 what Postgres would refuse with an error: in the path and the query of every route below it, however
 * a route reads them. A body is checked by `refuseUnstorableBody`, where it has been parsed.
 */
export function refuseUnstorableText(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  refuse("The address", decodedPath(req))
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

function refuse(place: string, value: unknown): void {
  if (holdsUnstorable(value)) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `${place} holds a character that cannot be stored: NUL, or half of a surrogate pair.`,
      UNSTORABLE_TEXT
    )
  }
}

/** A text, or one among the names and values of the fields. */
function holdsUnstorable(value: unknown): boolean {
  if (isUnstorable(value)) {
    return true
  }
  for (const [name, inner] of fieldsIn(value)) {
    if (isUnstorable(name) || isUnstorable(inner)) {
      return true
    }
  }
  return false
}

const isUnstorable = (value: unknown): boolean => typeof value === "string" && UNSTORABLE.test(value)

function decodedPath({ originalUrl }: MedusaRequest): string {
  try {
    return decodeURIComponent(originalUrl.split("?")[0] ?? "")
  } catch {
    // A URIError is how it says that this is no UTF-8.
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "The address is not percent-encoded UTF-8.",
      UNSTORABLE_TEXT
    )
  }
}

/**
 * Refuses with 400 the names in a query that core's validators answer with 500: a name with more than one dot, which
 * core calls a path, and the name of something that every object has, such as `limit[toString]`. Core puts the value of
 * a field that is wrong into its message, and such a value cannot be made a text.
 */
export function refuseUnusableQueryNames(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  const names = Object.keys(req.query)
  refuseNames("query", [...namesIn(req.query), ...names.flatMap((name) => name.split("."))])
  const deep = names.find((name) => name.split(".").length > 2)
  if (deep !== undefined) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      "A name in the query has more than one dot. No field has such a name.",
      UNUSABLE_NAME
    )
  }
  next()
}

/** The same for a parsed body, in which a dot is only a dot. */
export function refuseUnusableBodyNames(
  req: MedusaRequest,
  _res: MedusaResponse,
  next: MedusaNextFunction
): void {
  refuseNames("body", namesIn(req.body))
  next()
}

/** Names at every level. */
function namesIn(value: unknown): string[] {
  return Array.from(fieldsIn(value), ([name]) => name)
}

function refuseNames(place: string, names: string[]): void {
  const taken = names.find((name) => name in Object.prototype)
  if (taken !== undefined) {
    throw new MedusaError(
      MedusaError.Types.INVALID_DATA,
      `The ${place} has a field "${taken}". No field has such a name.`,
      UNUSABLE_NAME
    )
  }
}

/**
 * Every field of a parsed body or query, at every level, with its value. With a list of its own, not by recursion: a
 * body may be nested deeper than the stack.
 */
function* fieldsIn(value: unknown): Generator<[name: string, value: unknown]> {
  const left = [value]
  while (left.length > 0) {
    const next = left.pop()
    if (typeof next === "object" && next !== null) {
      for (const field of Object.entries(next) as [string, unknown][]) {
        yield field
        left.push(field[1])
      }
    }
  }
}
