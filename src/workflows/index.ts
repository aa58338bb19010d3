import type { MedusaContainer } from "@medusajs/framework/types"
import { resolveLedger } from "../modules/crypto-payments"
import type { AuditReport } from "../modules/crypto-payments/checks/audits"

export {
  createOrderPaymentLinkWorkflow,
  type CreateOrderPaymentLinkInput,
  type OrderPaymentLink,
} from "./create-order-payment-link"
export { reconcileGatewayList, type ReconcileListInput } from "./reconcile-gateway-list"
export type {
  ListFinding,
  ListReport,
  ListReportRow,
} from "../modules/crypto-payments/reconciliation/list-report"

/**
 * Checks stored rows against the promise: each payment is explained, or is a finding. Reads only. A run over all rules
 * is stored as the last report, and `crypto_payment.audit_failed` reports its findings.
 *
 * @param rules names of rules; without them, all rules
 * @throws MedusaError 400 for a rule that does not exist; 409 while another audit runs
 * @example
 * const { findings } = await auditPayments(container)
 */
export async function auditPayments(container: MedusaContainer, rules?: string[]): Promise<AuditReport> {
  return await resolveLedger(container).audits.run(rules)
}
