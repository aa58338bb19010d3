import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { isMoreThan, isReported, recordedStatus, toTwoDecimals, wasRead } from "../../../decision"
import { toCurrencySymbol } from "../../../gateway"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { isPaused } from "../paused"
import { readOwed } from "../payment-requests/order-balance"
import { isBeingSettled } from "../payment-requests/order-links"
import type { SettingsRegistry } from "../settings/settings-registry"
import type { FoundPage, PayPages } from "./pay-pages"

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
 * - `review`: a payment was received and has a case: nobody is to pay again
 * - `paid`: nothing is owed. The newest crypto payment, if there is one
 */
export type PageState =
  | ({ kind: "to_pay"; has_link: boolean } & Amount)
  | ({ kind: "confirming"; can_continue: boolean } & Amount)
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
}

/** What it needs of the module. */
interface PageParts {
  payPages: PayPages
  settings: SettingsRegistry
}

/** Reads pay pages. Asks no gateway and writes nothing, however often a page is opened. */
export class PayPageStates {
  constructor(
    private readonly knex: Knex,
    private readonly ledger: PageParts
  ) {}

  /** @returns undefined for a token that opens nothing, or nothing any more */
  async read(token: string): Promise<PayPage | undefined> {
    const rows = await this.ledger.payPages.findByToken(token)
    const [page] = rows
    const links = rows.filter((row) => row.id !== null)
    return (
      page && {
        order_id: page.page_order_id,
        provider_id: page.page_provider_id,
        display_id: page.display_id,
        state: await this.stateOf(page, links),
      }
    )
  }

  /** @param links the newest first */
  private async stateOf(page: FoundPage, links: CryptoPaymentRequestRow[]): Promise<PageState> {
    if (page.is_deleted) {
      return { kind: "unavailable", because: "order_gone" }
    }
    if (page.is_canceled) {
      return { kind: "canceled" }
    }
    const settling = links.find(isBeingSettled)
    if (settling !== undefined) {
      return confirming(settling)
    }
    const owed = await readOwed(this.knex, page.page_order_id)
    if (!isMoreThan(owed, "0")) {
      const paid = links.find(({ state }) => state === "captured")
      return { kind: "paid", paid_at: paid?.paid_at ?? null, reference: paid?.ref_id ?? null }
    }
    if (links.some(isReviewed)) {
      return { kind: "review" }
    }
    const reported = links.find(isReported)
    if (reported !== undefined) {
      return confirming(reported)
    }
    const amount = toTwoDecimals(owed)
    const because = await this.obstacleTo(page)
    const begun = links.find(hasBegun)
    if (begun !== undefined) {
      const isOfPage = begun.state === "open" && begun.provider_id === page.page_provider_id
      return confirming(begun, because === null && isOfPage && begun.amount === amount)
    }
    const has_link = links.some(({ state }) => state === "open")
    return because === null
      ? { kind: "to_pay", amount, currency_code: page.order_currency_code, has_link }
      : { kind: "unavailable", because }
  }

  /** Limits of the amount are for the checkout: an order's link has none. */
  private async obstacleTo(page: FoundPage): Promise<Obstacle | null> {
    const configured = await this.ledger.settings.listConfigured()
    if (isPaused() || !configured.includes(page.page_provider_id)) {
      return "not_available"
    }
    if (toCurrencySymbol(page.order_currency_code) === undefined) {
      return "currency"
    }
    if (page.is_archived) {
      return "closed"
    }
    return page.is_authorized ? "authorized" : null
  }
}

function confirming({ amount, currency_code }: CryptoPaymentRequestRow, can_continue = false): PageState {
  return { kind: "confirming", amount, currency_code, can_continue }
}

/** Money that no settle can book. Once the merchant has closed its case, the order can be paid again. */
function isReviewed(row: CryptoPaymentRequestRow): boolean {
  return row.state === "paid" && !isBeingSettled(row) && row.attention_resolved_at === null
}

/** A read of the gateway says that somebody is paying. The answer to a creation says PENDING too. */
function hasBegun(row: CryptoPaymentRequestRow): boolean {
  const mayBePaid = row.state === "open" || row.state === "superseded"
  return mayBePaid && recordedStatus(row) === "PENDING" && wasRead(row)
}
