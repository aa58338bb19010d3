import { hasUnknownWord, isMoreThan, isReported, toTwoDecimals } from "../../../decision"
import { toCurrencySymbol } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { findHolding, isBeingSettled, isPartToPay } from "../payment-requests/order-links"
import { isHeld, isPartTold } from "../payment-requests/session-status"

/** Two decimals, in major units. */
interface Amount {
  amount: string
  currency_code: string
}

/** Why an order that owes something cannot be paid on its page at the moment. */
export type Obstacle = "not_available" | "currency" | "closed" | "authorized" | "order_gone"

/**
 * What a pay page says.
 *
 * - `to_pay`: what the order owes now. `has_link`: a link was made, so somebody may be paying
 * - `confirming`: a payment has begun, or was received and is not booked yet. `can_continue`: somebody has begun to pay
 *   the link of what is owed, and may have left it
 * - `part`: a part of what is owed has arrived, and the rest is to be paid by the same link
 * - `review`: a payment, or a part of one, was received and has a case: nobody is to pay again
 * - `paid`: nothing is owed. The newest crypto payment, if there is one
 */
export type PageState =
  | ({ kind: "to_pay"; has_link: boolean } & Amount)
  | ({ kind: "confirming"; can_continue: boolean } & Amount)
  | { kind: "part" }
  | { kind: "review" }
  | { kind: "paid"; paid_at: Date | null; reference: string | null }
  | { kind: "canceled" }
  | { kind: "unavailable"; because: Obstacle }

/** A pay page without its customer: neither the order's id nor anybody's name or address is shown. */
export interface PayPage {
  order_id: string
  provider_id: string
  display_id: number | null
  state: PageState
  /** What was ordered; empty unless the merchant lets the page show it. */
  items: readonly PageItem[]
  /** The shop's address, where it is known. */
  shop_url: string | null
}

export interface PageItem extends Amount {
  title: string
  quantity: string
}

/** The page that a token opens, and what its order says. */
export interface FoundPage {
  page_order_id: string
  page_provider_id: string
  /** The order's number, which its customer knows. */
  display_id: number | null
  order_currency_code: string
  is_deleted: boolean
  is_canceled: boolean
  is_archived: boolean
  /** Another provider has authorized a payment of the order and may capture it, or is about to authorize one. */
  is_authorized: boolean
  /** What was received for the order, in major units. */
  received: string
  /** The database's time of this read. */
  database_now: Date
}

/** @param links the newest first; owed what the order owes; isOffered whether the page's provider makes links now */
export function toPageState(
  page: FoundPage,
  links: readonly CryptoPaymentRequestRow[],
  owed: string,
  isOffered: boolean
): PageState {
  if (page.is_deleted || page.is_canceled) {
    const isOver: PageState = page.is_deleted
      ? { kind: "unavailable", because: "order_gone" }
      : { kind: "canceled" }
    return links.some(hasMoney) ? { kind: "review" } : isOver
  }
  const holding = findHolding(links)
  if (holding !== undefined && isBeingSettled(holding)) {
    return confirming(holding)
  }
  if (!isMoreThan(owed, "0")) {
    const paid = links.find(({ state }) => state === "captured")
    return { kind: "paid", paid_at: paid?.paid_at ?? null, reference: paid?.ref_id ?? null }
  }
  const amount = toTwoDecimals(owed)
  const because = isOffered ? obstacleTo(page) : "not_available"
  const isLinkOfNow = ({ state, provider_id, amount: asked }: CryptoPaymentRequestRow): boolean =>
    because === null && state === "open" && provider_id === page.page_provider_id && asked === amount
  if (holding !== undefined) {
    const kind = isPartTold(holding) && isLinkOfNow(holding) ? "part" : "review"
    return isReported(holding) ? confirming(holding) : { kind }
  }
  const begun = links.find((row) => holdsPage(row, page.database_now))
  if (begun !== undefined) {
    return confirming(begun, isLinkOfNow(begun))
  }
  const has_link = links.some(({ state }) => state === "open")
  return because === null
    ? { kind: "to_pay", amount, currency_code: page.order_currency_code, has_link }
    : { kind: "unavailable", because }
}

/** Whether something was received, or is said to have been, that nobody has sent back or dealt with. */
function hasMoney(row: CryptoPaymentRequestRow): boolean {
  const isKept = row.paid_at !== null && row.state !== "refunded" && row.attention_resolved_at === null
  return isKept || isReported(row) || isPartToPay(row) || hasUnknownWord(row)
}

/** Limits of the amount are for the checkout: an order's link has none. */
function obstacleTo(page: FoundPage): Obstacle | null {
  if (toCurrencySymbol(page.order_currency_code) === undefined) {
    return "currency"
  }
  if (page.is_archived) {
    return "closed"
  }
  return page.is_authorized ? "authorized" : null
}

function confirming({ amount, currency_code }: CryptoPaymentRequestRow, can_continue = false): PageState {
  return { kind: "confirming", amount, currency_code, can_continue }
}

/** The gateway says that somebody is paying. PENDING holds the page for a day, as it does an order that is to be cancelled. */
function holdsPage(row: CryptoPaymentRequestRow, now: Date): boolean {
  return (row.state === "open" || row.state === "superseded") && isHeld(row, now)
}
