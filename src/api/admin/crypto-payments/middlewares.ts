import {
  validateAndTransformBody,
  validateAndTransformQuery,
  type MiddlewareRoute,
} from "@medusajs/framework/http"
import { PolicyOperation } from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"
import { parseJsonBody } from "../../middlewares/parse-json-body"
import * as validators from "./validators"

const BASE = "/admin/crypto-payments"
/** Our routes answer with fixed fields, so Medusa's field selection has nothing to select. */
const NO_FIELDS = { defaults: [] as string[], isList: false }

const NOTHING = z.strictObject({})

/** Of several, a role needs each. */
type Policy = { resource: string; operation: string }

function get(path: string, query: z.ZodType = NOTHING, resources = ["payment"]): MiddlewareRoute {
  return {
    matcher: `${BASE}${path}`,
    methods: ["GET"],
    middlewares: [validateAndTransformQuery(query, NO_FIELDS)],
    policies: resources.map((resource) => ({ resource, operation: PolicyOperation.read })),
  }
}

function post(path: string, body: z.ZodType | undefined, policies: Policy | Policy[]): MiddlewareRoute {
  return {
    matcher: `${BASE}${path}`,
    methods: ["POST"],
    // `parseJsonBody` reads it after the login was checked, also where a route takes no body.
    bodyParser: false,
    middlewares: [parseJsonBody, ...(body === undefined ? [] : [validateAndTransformBody(body)])],
    policies,
  }
}

const UPDATE_PAYMENT = { resource: "payment", operation: PolicyOperation.update }
const CREATE_REFUND = { resource: "refund", operation: PolicyOperation.create }
const CREATE_ORDER = { resource: "order", operation: PolicyOperation.create }
const UPDATE_STORE = { resource: "store", operation: PolicyOperation.update }

/** Validation and permissions of every admin route, with core's policies for similar routes. */
export const adminCryptoPaymentMiddlewares: MiddlewareRoute[] = [
  get("", validators.AdminListCryptoPayments),
  get("/export", validators.AdminExportCryptoPayments),
  get("/health"),
  get("/balances", validators.AdminOfCryptoProvider),
  get("/balances/:symbol", validators.AdminOfCryptoProvider),
  get("/gateway-requests", validators.AdminListGatewayRequests),
  get("/settlements", validators.AdminGetCryptoSettlements),
  get("/settlements/export", validators.AdminGetCryptoSettlements),
  get("/reconciliation", validators.AdminReconcileCryptoPayments),
  get("/reconciliation/export", validators.AdminReconcileCryptoPayments),
  post("/reconciliation", validators.AdminReconcileCryptoPayments, UPDATE_PAYMENT),
  get("/audit"),
  post("/audit", validators.AdminAuditCryptoPayments, UPDATE_PAYMENT),
  get("/settings", undefined, ["store"]),
  get("/settings/:provider_id", undefined, ["store"]),
  // `parseSettings` checks these bodies.
  post("/settings/:provider_id", undefined, UPDATE_STORE),
  post("/settings/:provider_id/check", undefined, UPDATE_STORE),
  post("/settings/:provider_id/webhook-check", NOTHING, UPDATE_STORE),
  get("/:id", validators.AdminGetCryptoPayment),
  post("/:id/settle", NOTHING, UPDATE_PAYMENT),
  post("/:id/payment-link", NOTHING, UPDATE_PAYMENT),
  post("/orders/:order_id/payment-link", validators.AdminOfCryptoProvider, UPDATE_PAYMENT),
  post("/orders/:order_id/pay-page", validators.AdminGiveCryptoPayPage, UPDATE_PAYMENT),
  post("/:id/resolve", validators.AdminResolveCryptoPayment, UPDATE_PAYMENT),
  get("/:id/candidates", validators.AdminListCandidates, ["order", "payment"]),
  post("/:id/apply", validators.AdminApplyCryptoPayment, UPDATE_PAYMENT),
  post("/:id/draft-order", NOTHING, [CREATE_ORDER, UPDATE_PAYMENT]),
  post("/:id/refunds", validators.AdminRegisterCryptoRefund, CREATE_REFUND),
]
