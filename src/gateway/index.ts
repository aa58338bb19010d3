/** The wire: a typed client of the payment gateway, approval hash, schemas, errors. Knows no Medusa. */
export { approvalHash, verifyApprovalHash } from "./approval-hash"
export type { GatewayAuth, GatewayAuthRequest, GatewayHeaders } from "./auth"
export { AUTH_TYPES, authFields, isSecret } from "./auth-types"
export type { AuthFieldKind, AuthType, SignatureHeaderNames } from "./auth-types"
export { isAcceptablePaymentLink, isLoopback, linkHost, normalizeHost, readPaymentLink } from "./base-url"
export { GatewayClient } from "./client"
export type { GatewayClientOptions } from "./client"
export { decodeBody, parseJson } from "./decode-body"
export {
  ApprovalHashInvalid,
  GatewayError,
  GatewayMalformed,
  GatewayRejected,
  GatewayUnavailable,
} from "./errors"
export { parseNotification, parseNotificationData, parseSignedBody } from "./notification"
export type { SignedBody } from "./notification"
export { requestSignature } from "./request-signature"
export type { RequestSignatureInput } from "./request-signature"
export {
  BALANCE_SYMBOL_PATTERN,
  PAYMENT_REQUEST_ID_PATTERN,
  balanceSchema,
  envelopeSchema,
  notificationSchema,
  paginationSchema,
  paymentRequestSchema,
  signedBodySchema,
} from "./schemas"
export type {
  Balance,
  CreatedPaymentRequest,
  CreatePaymentRequestInput,
  ListedPage,
  Notification,
  Pagination,
  PaymentRequest,
  PaymentStatus,
  UnreadableRecord,
} from "./types"
export type { PoolUse } from "./pools"
export { USER_AGENT } from "./transport"
export { ListWalk } from "./walk-list"
export type { FreshPage, ListGap, ListSource } from "./walk-list"
