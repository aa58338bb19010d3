/** The wire: a typed client of the payment gateway, approval hash, schemas, errors. Knows no Medusa. */
export { approvalHash, verifyApprovalHash } from "./approval-hash"
export { requestSignature } from "./auth"
export type { GatewayAuth, GatewayAuthRequest, GatewayHeaders, RequestSignatureInput } from "./auth"
export { AUTH_TYPES, authFields, isSecret } from "./auth-types"
export type { AuthFieldKind, AuthType, SignatureHeaderNames } from "./auth-types"
export { BALANCE_SYMBOL_PATTERN, balanceSchema } from "./balance"
export type { Balance } from "./balance"
export { isAcceptablePaymentLink, isLoopback, linkHost, normalizeHost, readPaymentLink } from "./base-url"
export { GatewayClient } from "./client"
export type { GatewayClientOptions } from "./client"
export type { CreatedPaymentRequest, CreatePaymentRequestInput } from "./create-payment-request"
export { decodeBody, parseJson } from "./decode-body"
export { envelopeSchema } from "./envelope"
export {
  ApprovalHashInvalid,
  GatewayError,
  GatewayMalformed,
  GatewayRejected,
  GatewayUnavailable,
} from "./errors"
export {
  notificationSchema,
  parseNotification,
  parseNotificationData,
  parseSignedBody,
  signedBodySchema,
} from "./notification"
export type { Notification, SignedBody } from "./notification"
export { PAYMENT_REQUEST_ID_PATTERN, paginationSchema, paymentRequestSchema } from "./payment-request"
export type {
  ListedPage,
  Pagination,
  PaymentRequest,
  PaymentStatus,
  UnreadableRecord,
} from "./payment-request"
export type { PoolUse } from "./pools"
export { USER_AGENT } from "./transport"
export { ListWalk } from "./walk-list"
export type { FreshPage, ListGap, ListSource } from "./walk-list"
