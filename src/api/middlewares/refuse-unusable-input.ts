import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"
import { invalidData, notFound } from "../../modules/crypto-payments/errors"

export function guard(check: (req: MedusaRequest) => void | Promise<void>): MedusaRequestHandler {
  return async (req, _res, next) => {
    await check(req)
    next()
  }
}

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
export const refuseUnusableQueryNames = guard(({ query }) => {
  const names = Object.keys(query)
  refuseUnusableNames("query", [...names.flatMap((name) => name.split(".")), ...fieldNamesIn(query)])
  if (names.some((name) => name.split(".").length > 2)) {
    throw invalidData("A name in the query has more than one dot. No field has such a name.", "unusable_name")
  }
})

/** The same for a parsed body, whose names may have dots. */
export function refuseUnusableBody(body: unknown): void {
  refuseUnusableNames("body", fieldNamesIn(body))
}

function refuseUnusableNames(place: string, names: string[]): void {
  const taken = names.find((name) => name in Object.prototype)
  if (taken !== undefined) {
    throw invalidData(`The ${place} has a field "${taken}". No field has such a name.`, "unusable_name")
  }
}

/** At every level. Not by recursion: a body may be nested deeper than the stack. */
function fieldNamesIn(whole: unknown): string[] {
  const values = [whole]
  const names: string[] = []
  for (const value of values) {
    if (typeof value === "object" && value !== null) {
      names.push(...Object.keys(value))
      values.push(...(Object.values(value) as unknown[]))
    }
  }
  return names
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
