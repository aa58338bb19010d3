export { auditPaymentsWorkflow, auditPaymentsWorkflowId } from "./audit-payments"
export { reconcileGatewayListWorkflow, reconcileGatewayListWorkflowId } from "./reconcile-gateway-list"
export type { ListFinding, ListReport, ListReportRow } from "./list-report"
export type { ReconcileListInput } from "./reconcile-gateway-list"
