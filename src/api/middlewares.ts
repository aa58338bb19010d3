import { authenticate, defineMiddlewares } from "@medusajs/framework/http"
import { adminCryptoPaymentMiddlewares } from "./admin/crypto-payments/middlewares"
import { guardCartChange } from "./middlewares/guard-cart-change"
import { guardCartCompletion } from "./middlewares/guard-cart-completion"
import { guardDraftOrderDeletion, guardMarkAsPaid, guardOrderCancel } from "./middlewares/guard-paid-orders"
import { guardSessionCreation } from "./middlewares/guard-session-creation"
import { listOfferedProviders } from "./middlewares/list-offered-providers"
import { receiveNotification } from "./middlewares/receive-notification"
import {
  refuseEncodedWebhook,
  refuseUnusableAddress,
  refuseUnusableQueryNames,
} from "./middlewares/refuse-unusable-input"

/** Core's routes that are guarded. */
const GUARDED = [
  ["POST", "/store/payment-collections/:id/payment-sessions", guardSessionCreation],
  ["POST", "/admin/payment-collections/:id/payment-sessions", guardSessionCreation],
  ["POST", "/admin/payment-collections/:id/mark-as-paid", guardMarkAsPaid],
  ["POST", "/store/carts/:id/complete", guardCartCompletion],
  ["POST", "/admin/orders/:id/cancel", guardOrderCancel],
  ["DELETE", "/admin/draft-orders/:id", guardDraftOrderDeletion],
] as const

export default defineMiddlewares({
  routes: [
    // Without methods: it runs for every route below, before any route's parameters are decoded.
    ...["/hooks/payment", "/admin/crypto-payments", "/store/crypto-payments", "/crypto-payments"].map(
      (matcher) => ({ matcher, middlewares: [refuseUnusableAddress] })
    ),
    ...["/admin/crypto-payments", "/store/crypto-payments"].map((matcher) => ({
      matcher,
      middlewares: [refuseUnusableQueryNames],
    })),
    // `pp_crypto_…` is core's spelling of the provider. The interface does not name the method, so PUT is accepted too.
    // GET and HEAD are answered for a gateway that tries the address.
    ...["/hooks/payment/crypto_:id", "/hooks/payment/pp_crypto_:id"].map((matcher) => ({
      matcher,
      methods: ["GET" as const, "POST" as const, "PUT" as const],
      bodyParser: false as const,
      middlewares: [receiveNotification],
    })),
    { matcher: "/hooks/payment/:provider", methods: ["POST", "PUT"], middlewares: [refuseEncodedWebhook] },
    // Without methods: it runs for every route below, also for those of the store and of other plugins.
    { matcher: "/store/carts/:id", middlewares: [guardCartChange] },
    ...GUARDED.map(([method, matcher, guard]) => ({ matcher, methods: [method], middlewares: [guard] })),
    // Its form has no fields. Node drops a body that nobody reads.
    { matcher: "/crypto-payments/pay/:token", methods: ["POST"], bodyParser: false },
    { matcher: "/store/payment-providers", methods: ["GET"], middlewares: [listOfferedProviders] },
    {
      matcher: "/store/crypto-payments/:session_id",
      methods: ["GET"],
      middlewares: [authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true })],
    },
    ...adminCryptoPaymentMiddlewares,
  ],
})
