import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"

export function guard(check: (req: MedusaRequest) => void | Promise<void>): MedusaRequestHandler {
  return async (req, _res, next) => {
    await check(req)
    next()
  }
}
