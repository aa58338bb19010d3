import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import CryptoPaymentProvider from "./service"

// The ledger as the provider sees it: what it answers is set by a test, what it is told to do is kept in `effects`.
// That the real one does it is proven in integration-tests. No tests in it: its name keeps it out of the build.

export const ROW = {
  id: "cpreq_1",
  provider_id: "pp_crypto_default",
  payment_request_id: "pr_1",
  payment_link: "https://pay.example/pr_1",
  session_id: "payses_2",
  session_ids: ["payses_1", "payses_2"],
  paid_session_id: null,
  amount: "20.01",
  currency_code: "usd",
  state: "open",
  created_at: new Date("2026-11-21T09:00:00Z"),
  paid_at: null,
  gateway_status: null,
  gateway_amount: null,
  gateway_currency_symbol: null,
  failing_since: null,
  unread_since: null,
} as unknown as CryptoPaymentRequestRow

/** What core keeps of a session, and passes back. */
export const DATA = {
  session_id: "payses_2",
  payment_request_id: "pr_1",
  payment_link: "https://pay.example/pr_1",
  amount: "20.01",
  currency_code: "usd",
}

/** What the gateway's read leaves in a row. */
export const PAID = {
  state: "paid",
  paid_at: new Date("2026-11-21T10:00:00Z"),
  gateway_status: "PAID",
  gateway_amount: "20.01000000000000",
  gateway_currency_symbol: "USD",
} as const

/** A live session of the right amount, nothing captured, no order. */
const FACTS = {
  database_now: new Date("2026-11-21T10:00:00Z"),
  session_amount: "20.01",
  session_currency_code: "usd",
  cart_id: "cart_1",
  payment_id: null,
  payment_captured: "0",
  payment_refunded: "0",
  registered_refund: "0",
  order_id: null,
  order_canceled: false,
  order_booked: false,
  order_unpaid: null,
  paid_by_another: false,
  order_expires_from: null,
} as unknown as SettlementFacts

export class FakeLedger {
  rows: CryptoPaymentRequestRow[] = [ROW]
  /** What a read of the gateway changes in the row; a failure leaves it as it was. */
  reading: Partial<CryptoPaymentRequestRow> = { gateway_status: "UNPAID" }
  failure: "refused" | "unreadable" | null = null
  facts: SettlementFacts = FACTS
  isClaimable = true
  isRefundRegistered = false
  orderPlacement: string | undefined = "after_payment"
  isConfigured = true
  keys: Record<string, string[]> = { pp_crypto_default: ["shop-key"] }
  effects: unknown[][] = []

  /** A provider over it, as core makes one. */
  readonly provider = new CryptoPaymentProvider({ cryptoPayments: this })

  setFacts(changes: Partial<SettlementFacts>): void {
    this.facts = { ...FACTS, ...changes }
  }

  readonly requests = {
    findBySession: async (sessionId: string) => this.rows.find((row) => row.session_id === sessionId),
    findByPaymentRequestId: async (id: string | undefined) => {
      if (id === undefined) {
        throw new TypeError("Undefined binding(s) detected when compiling SELECT.") // As Knex does.
      }
      return this.rows.filter((row) => row.payment_request_id === id)
    },
    claimSession: async (...claim: unknown[]) => {
      this.effects.push(["claim", ...claim])
      return this.isClaimable
    },
  }
  readonly links = {
    withdraw: async (...what: unknown[]) => void this.effects.push(["withdraw", ...what]),
  }
  readonly refunds = {
    admit: async (...refund: unknown[]) => {
      this.effects.push(["admit", ...refund])
      return this.isRefundRegistered
    },
  }

  async issuePaymentLink(asked: object): Promise<CryptoPaymentRequestRow> {
    this.effects.push(["issue", asked])
    return ROW
  }

  async checkGateway(found: CryptoPaymentRequestRow): Promise<object> {
    // As the real one: a recorded PAID is not asked for again.
    if (found.paid_at !== null) {
      return { row: found, failure: null }
    }
    this.effects.push(["read", found.id])
    return { row: { ...found, ...(this.failure === null ? this.reading : {}) }, failure: this.failure }
  }

  async readSettlementFacts(): Promise<SettlementFacts> {
    return this.facts
  }

  async resolveSettings(): Promise<object | undefined> {
    return this.orderPlacement === undefined
      ? undefined
      : { configured: this.isConfigured, settings: { orderPlacement: this.orderPlacement } }
  }

  async notificationKeys(providerId: string): Promise<string[] | undefined> {
    return this.keys[providerId]
  }

  async openCase(row: CryptoPaymentRequestRow, reason: string): Promise<void> {
    this.effects.push(["attention", row.id, reason])
  }

  async requestCheck(id: string): Promise<void> {
    this.effects.push(["due", id])
  }

  async addActivity(...activity: unknown[]): Promise<void> {
    this.effects.push(["activity", ...activity])
  }
}
