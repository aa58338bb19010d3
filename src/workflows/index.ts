export { auditPaymentsWorkflow, auditPaymentsWorkflowId } from "./audit-payments"
export { reconcileGatewayListWorkflow, reconcileGatewayListWorkflowId } from "./reconcile-gateway-list"
export type {
  ListFinding,
  ListReport,
  ListReportRow,
} from "../modules/crypto-payments/reconciliation/list-report"
export type { ReconcileListInput } from "./reconcile-gateway-list"
