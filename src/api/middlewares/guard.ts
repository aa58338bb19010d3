import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

export type Middleware = (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction) => Promise<void>

export function guard(check: (req: MedusaRequest) => void | Promise<void>): Middleware {
  return async (req, _res, next) => {
    await check(req)
    next()
  }
}
