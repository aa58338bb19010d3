import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import { OPEN_ROW, UNCAPTURED } from "../../decision/example-row.spec"
import CryptoPaymentProvider from "./service"

// The ledger as the provider sees it: what it answers is set by a test, what it is told to do is kept in `effects`.
// That the real one does it is proven in integration-tests. No tests in it: its name keeps it out of the build.

export const ROW = {
  ...OPEN_ROW,
  id: "cpreq_1",
  provider_id: "pp_crypto_default",
  payment_request_id: "pr_1",
  payment_link: "https://pay.example/pr_1",
  session_id: "payses_2",
  session_ids: ["payses_1", "payses_2"],
  paid_session_id: null,
} as unknown as CryptoPaymentRequestRow

/** What core keeps of a session, and passes back. */
export const DATA = {
  session_id: "payses_2",
  payment_request_id: "pr_1",
  payment_link: "https://pay.example/pr_1",
  amount: "20.01",
  currency_code: "usd",
}

const FACTS = UNCAPTURED as unknown as SettlementFacts

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
