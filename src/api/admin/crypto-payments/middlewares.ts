import {
  validateAndTransformBody,
  validateAndTransformQuery,
  type MiddlewareRoute,
} from "@medusajs/framework/http"
import { PolicyOperation } from "@medusajs/framework/utils"
import { parseJsonBody } from "../../middlewares/parse-json-body"
import { AdminCheckCryptoSettings, AdminSaveCryptoSettings, validateSettings } from "./settings-validators"
import {
  AdminAuditCryptoPayments,
  AdminGetCryptoPayment,
  AdminGetCryptoSettlements,
  AdminGetReconciliation,
  AdminListCryptoPayments,
  AdminListGatewayRequests,
  AdminOfCryptoProvider,
  AdminReconcileCryptoPayments,
  AdminRegisterCryptoRefund,
  AdminResolveCryptoPayment,
} from "./validators"

const BASE = "/admin/crypto-payments"
/** Our routes answer with their own fields; Medusa's field selection has nothing to pick from. */
const NO_FIELDS = { defaults: [] as string[], isList: false }

/** Who may: the policies core asks for the same things. */
const POLICIES = {
  readPayment: { resource: "payment", operation: PolicyOperation.read },
  updatePayment: { resource: "payment", operation: PolicyOperation.update },
  createRefund: { resource: "refund", operation: PolicyOperation.create },
  readStore: { resource: "store", operation: PolicyOperation.read },
  updateStore: { resource: "store", operation: PolicyOperation.update },
}

function get(
  path: string,
  query: Parameters<typeof validateAndTransformQuery>[0] | undefined,
  policies = POLICIES.readPayment
): MiddlewareRoute {
  return {
    matcher: `${BASE}${path}`,
    methods: ["GET"],
    middlewares: query === undefined ? [] : [validateAndTransformQuery(query, NO_FIELDS)],
    policies,
  }
}

function post(
  path: string,
  body: Parameters<typeof validateAndTransformBody>[0] | undefined,
  policies: { resource: string; operation: string },
  middlewares: MiddlewareRoute["middlewares"] = body === undefined ? [] : [validateAndTransformBody(body)]
): MiddlewareRoute {
  return {
    matcher: `${BASE}${path}`,
    methods: ["POST"],
    // Read below, once the login was checked, also where a route takes no body: see parseJsonBody.
    bodyParser: false,
    middlewares: [parseJsonBody, ...middlewares],
    policies,
  }
}

/** Validation and permissions of every admin route. */
export const adminCryptoPaymentMiddlewares: MiddlewareRoute[] = [
  get("", AdminListCryptoPayments),
  get("/health", undefined),
  get("/balances", AdminOfCryptoProvider),
  get("/balances/:symbol", AdminOfCryptoProvider),
  get("/gateway-requests", AdminListGatewayRequests),
  get("/settlements", AdminGetCryptoSettlements),
  get("/settlements/export", AdminGetCryptoSettlements),
  get("/reconciliation", AdminGetReconciliation),
  get("/reconciliation/export", AdminGetReconciliation),
  post("/reconciliation", AdminReconcileCryptoPayments, POLICIES.updatePayment),
  get("/audit", undefined),
  post("/audit", AdminAuditCryptoPayments, POLICIES.updatePayment),
  get("/settings", undefined, POLICIES.readStore),
  get("/settings/:provider_id", undefined, POLICIES.readStore),
  post("/settings/:provider_id", undefined, POLICIES.updateStore, [
    validateSettings(AdminSaveCryptoSettings),
  ]),
  post("/settings/:provider_id/check", undefined, POLICIES.updateStore, [
    validateSettings(AdminCheckCryptoSettings),
  ]),
  post("/settings/:provider_id/webhook-check", undefined, POLICIES.updateStore),
  get("/:id", AdminGetCryptoPayment),
  post("/:id/settle", undefined, POLICIES.updatePayment),
  post("/:id/payment-link", undefined, POLICIES.updatePayment),
  post("/orders/:order_id/payment-link", AdminOfCryptoProvider, POLICIES.updatePayment),
  post("/:id/resolve", AdminResolveCryptoPayment, POLICIES.updatePayment),
  post("/:id/refunds", AdminRegisterCryptoRefund, POLICIES.createRefund),
]
