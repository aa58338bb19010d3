/** A typed client of the payment gateway: approval hash, schemas, errors. Does not import Medusa. */
export { approvalHash, verifyApprovalHash } from "./approval-hash"
export {
  createAuthenticator,
  requestSignature,
  type GatewayAuth,
  type GatewayAuthRequest,
  type GatewayHeaders,
  type RequestSignatureInput,
} from "./auth"
export * from "./auth-types"
export { isLoopback, isPrivate } from "./base-url"
export {
  BALANCE_SYMBOL_PATTERN,
  balanceSchema,
  GatewayClient,
  type Balance,
  type GatewayClientOptions,
} from "./client"
export * from "./currencies"
export { END_WORDS, isUnknownWord, PENDING_WORD, UNPAID_WORD, type PaymentStatus } from "./dialect"
export { envelopeSchema } from "./envelope"
export { GatewayError, GatewayMalformed, GatewayRejected, GatewayUnavailable, isRefusal } from "./errors"
export * from "./notification"
export { aboveZero } from "./plain-decimal"
export { normalizeHost, readPaymentLink } from "./payment-link"
export {
  PAYMENT_REQUEST_ID_PATTERN,
  paginationSchema,
  paymentRequestSchema,
  type CreatedPaymentRequest,
  type CreatePaymentRequestInput,
  type ListedPage,
  type Pagination,
  type PaymentRequest,
  type UnreadableRecord,
} from "./payment-request"
export { Connections, type PoolUse } from "./pools"
export { USER_AGENT } from "./transport"
export { ListWalk, type FreshPage, type ListGap, type ListSource } from "./walk-list"
export { parseJson } from "./wire"
export { toUnavailableReason, type UnavailableReason } from "./unavailable-reason"
