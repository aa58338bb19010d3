import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"
import { invalidData, notFound } from "../../modules/crypto-payments/errors"

export function guard(check: (req: MedusaRequest) => void | Promise<void>): MedusaRequestHandler {
  return async (req, _res, next) => {
    await check(req)
    next()
  }
}

/** Our bodies have at most four. Validators recurse, and deep nesting would overflow the stack. */
const MOST_LEVELS = 20
/** What core would pass on to one of our providers. It adds `pp_` to a name that does not begin with it. */
const OURS = /^(?:pp_)?crypto_/i

/**
 * Refuses with 400 an address that is not percent-encoded UTF-8, such as `/hooks/payment/crypto_%ff`, or that contains
 * NUL. Express throws when it decodes the first, and core answers that with 500 and a logged stack. Postgres refuses
 * the second with an error. The texts of queries and bodies are checked by their schemas.
 */
export const refuseUnusableAddress = guard(({ originalUrl }) => {
  let path: string
  try {
    path = decodeURIComponent(originalUrl.split("?")[0] ?? "")
  } catch {
    // A URIError means that the text is no UTF-8.
    throw invalidData("The address is not percent-encoded UTF-8.", "unusable_address")
  }
  if (path.includes("\0")) {
    throw invalidData("The address contains NUL.", "unusable_address")
  }
})

/**
 * Refuses with 400 the names in a query that core's validators answer with 500: a name with more than one dot, which
 * core calls a path, and the name of a property of every object, such as `limit[toString]`. Core puts the value of a
 * wrong field into its message, and such a value cannot become a text.
 */
export const refuseUnusableQueryNames = guard((req) => {
  const paths = Object.keys(req.query).map((name) => name.split("."))
  refuseNames("query", [...fieldsIn(req.query).map(({ name }) => name), ...paths.flat()])
  if (paths.some((path) => path.length > 2)) {
    throw invalidData("A name in the query has more than one dot. No field has such a name.", "unusable_name")
  }
})

/** Refuses with 400 a parsed body with such names, or with deep nesting. Dots are allowed in its names. */
export function refuseUnusableBody(body: unknown): void {
  const fields = fieldsIn(body)
  if (fields.some(({ levels }) => levels > MOST_LEVELS)) {
    throw invalidData(`The body has objects or lists in more than ${String(MOST_LEVELS)} levels.`, "too_deep")
  }
  const names = fields.map(({ name }) => name)
  refuseNames("body", names)
}

/**
 * Refuses what core's webhook route would pass on to one of our providers without `receiveNotification`: a path that
 * spells the provider with percent signs, such as `crypto%5Fdefault`. Core's route answers 200 to anything.
 *
 * It has exactly the path of core's route, so it sees the same decoded name. A plain spelling never gets here, because
 * Medusa sorts `crypto_:id` before `:provider`.
 */
export const refuseEncodedWebhook = guard((req) => {
  if (OURS.test(req.params["provider"] ?? "")) {
    throw notFound("There is no such webhook. Use the address that the admin shows.")
  }
})

function refuseNames(place: string, names: string[]): void {
  const taken = names.find((name) => name in Object.prototype)
  if (taken !== undefined) {
    throw invalidData(`The ${place} has a field "${taken}". No field has such a name.`, "unusable_name")
  }
}

interface Field {
  name: string
  value: unknown
  /** How many objects and lists contain it. */
  levels: number
}

/** A body or query and all its fields, at every level. Not by recursion: a body may be nested deeper than the stack. */
function fieldsIn(whole: unknown): Field[] {
  const fields: Field[] = [{ name: "", value: whole, levels: 0 }]
  for (const { value, levels } of fields) {
    if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value) as [string, unknown][]) {
        fields.push({ name, value: inner, levels: levels + 1 })
      }
    }
  }
  return fields
}
