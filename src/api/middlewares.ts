import { authenticate, defineMiddlewares, validateAndTransformQuery } from "@medusajs/framework/http"
import { adminCryptoPaymentMiddlewares } from "./admin/crypto-payments/middlewares"
import { guardCartCompletion } from "./middlewares/guard-cart-completion"
import { guardDraftOrderDeletion, guardMarkAsPaid, guardOrderCancel } from "./middlewares/guard-paid-orders"
import { guardSessionCreation } from "./middlewares/guard-session-creation"
import { receiveNotification } from "./middlewares/receive-notification"
import {
  refuseEncodedWebhook,
  refuseUnusableAddress,
  refuseUnstorableText,
  refuseUnusableQueryNames,
} from "./middlewares/refuse-unusable-input"
import { StoreGetCryptoPaymentParams } from "./store/crypto-payments/validators"

export default defineMiddlewares({
  routes: [
    // Without methods: for every route below, before any route's parameters are decoded.
    { matcher: "/hooks/payment", middlewares: [refuseUnusableAddress] },
    ...["/admin/crypto-payments", "/store/crypto-payments"].map((matcher) => ({
      matcher,
      middlewares: [refuseUnstorableText, refuseUnusableQueryNames],
    })),
    // `pp_crypto_…` is how core spells the provider; the interface does not give the method, so PUT is taken too. GET,
    // and with it HEAD, is answered for a gateway that tries the address.
    ...["/hooks/payment/crypto_:id", "/hooks/payment/pp_crypto_:id"].map((matcher) => ({
      matcher,
      methods: ["GET" as const, "POST" as const, "PUT" as const],
      bodyParser: false as const,
      middlewares: [receiveNotification],
    })),
    { matcher: "/hooks/payment/:provider", methods: ["POST", "PUT"], middlewares: [refuseEncodedWebhook] },
    ...[
      "/store/payment-collections/:id/payment-sessions",
      "/admin/payment-collections/:id/payment-sessions",
    ].map((matcher) => ({
      matcher,
      methods: ["POST" as const],
      middlewares: [refuseUnstorableText, guardSessionCreation],
    })),
    {
      matcher: "/admin/payment-collections/:id/mark-as-paid",
      methods: ["POST"],
      middlewares: [refuseUnstorableText, guardMarkAsPaid],
    },
    {
      matcher: "/store/carts/:id/complete",
      methods: ["POST"],
      middlewares: [refuseUnstorableText, guardCartCompletion],
    },
    {
      matcher: "/store/crypto-payments/:session_id",
      methods: ["GET"],
      middlewares: [
        authenticate("customer", ["session", "bearer"], { allowUnauthenticated: true }),
        validateAndTransformQuery(StoreGetCryptoPaymentParams, {}),
      ],
    },
    {
      matcher: "/admin/orders/:id/cancel",
      methods: ["POST"],
      middlewares: [refuseUnstorableText, guardOrderCancel],
    },
    {
      matcher: "/admin/draft-orders/:id",
      methods: ["DELETE"],
      middlewares: [refuseUnstorableText, guardDraftOrderDeletion],
    },
    ...adminCryptoPaymentMiddlewares,
  ],
})
