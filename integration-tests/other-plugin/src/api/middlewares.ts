import { defineMiddlewares } from "@medusajs/framework/http"
import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { heard, readingFirst } from "../heard"

/** Each matcher on which the crypto plugin has a middleware in core's routes. */
const MATCHERS = [
  "/hooks/payment/crypto_:id",
  "/hooks/payment/:provider",
  "/store/payment-collections/:id/payment-sessions",
  "/admin/payment-collections/:id/payment-sessions",
  "/admin/payment-collections/:id/mark-as-paid",
  "/store/carts/:id/complete",
  "/admin/orders/:id/cancel",
]

function hear(request: MedusaRequest, _: MedusaResponse, next: MedusaNextFunction): void {
  heard.push(`${request.method} ${request.path}`)
  next()
}

function readFirst(request: MedusaRequest, response: MedusaResponse, next: MedusaNextFunction): void {
  if (readingFirst.by === undefined) {
    next()
  } else {
    readingFirst.by(request, response, next)
  }
}

export default defineMiddlewares({
  routes: [
    { matcher: "*", middlewares: [readFirst] },
    ...MATCHERS.map((matcher) => ({
      matcher,
      methods: ["POST" as const],
      // As a plugin that wants every body as it was sent.
      bodyParser: { preserveRawBody: true, sizeLimit: "1mb" },
      middlewares: [hear],
    })),
  ],
})
