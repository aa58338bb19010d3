export { settlePaymentRequestWorkflow, settlePaymentRequestWorkflowId } from "./settle-payment-request"
export type { SettleRequestInput } from "./steps/settle-request"
export type { SettleTrigger } from "./steps/settle-leased"
