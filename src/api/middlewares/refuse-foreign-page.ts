import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { ContainerRegistrationKeys, MedusaError, parseCorsOrigins } from "@medusajs/framework/utils"

/** What a browser says of a request that a page of another origin makes. It says so over https and on localhost. */
const FOREIGN = new Set(["cross-site", "same-site"])

/**
 * Refuses what a page of another origin has an admin's browser send, unless `adminCors` names that origin. Where the
 * session cookie is `sameSite: none`, the browser sends it too, and a form can be posted without a preflight: a route
 * that takes no body would do what the form asks.
 */
export function refuseForeignPage(req: MedusaRequest, _res: MedusaResponse, next: MedusaNextFunction): void {
  if (FOREIGN.has(req.get("sec-fetch-site") ?? "") && !isAllowed(req)) {
    throw new MedusaError(
      MedusaError.Types.FORBIDDEN,
      "A page of another origin sent this. If it is your admin, add its origin to adminCors in medusa-config.",
      "foreign_origin"
    )
  }
  next()
}

function isAllowed(req: MedusaRequest): boolean {
  const origin = req.get("origin") ?? ""
  const { projectConfig } = req.scope.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
  return parseCorsOrigins(projectConfig.http.adminCors).some((allowed) =>
    typeof allowed === "string" ? allowed === origin : allowed.test(origin)
  )
}
