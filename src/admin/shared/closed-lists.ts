import type { RequestState } from "../../http-contract"

export const REQUEST_STATES: RequestState[] = [
  "creating",
  "open",
  "superseded",
  "closed",
  "paid",
  "captured",
  "refunded",
]

export { ATTENTION_REASONS } from "../../decision/attention"

/** What keeps Medusa from cancelling an unpaid order: a fulfillment, or the type of its open change. */
export const ORDER_OBSTACLES: readonly string[] = [
  "edit",
  "return_request",
  "return_receive",
  "exchange",
  "claim",
  "fulfillment",
]
