import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { ReadFailure } from "../../decision"
import { OPEN_ROW } from "../../decision/example-row.spec"
import CryptoPaymentProvider from "./service"

// The ledger as the provider sees it: a test sets its answers, and `effects` records the calls.
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
  refund_registered_at: null,
} as unknown as CryptoPaymentRequestRow

/** What core keeps of a session, and passes back. */
export const DATA = {
  session_id: "payses_2",
  payment_request_id: "pr_1",
  payment_link: "https://pay.example/pr_1",
  amount: "20.01",
  currency_code: "usd",
}

export class FakeLedger {
  rows: CryptoPaymentRequestRow[] = [ROW]
  /** What a read of the gateway changes in the row; a failure leaves it as it was. */
  reading: Partial<CryptoPaymentRequestRow> = { gateway_status: "UNPAID" }
  /** What a settle writes in the row after that read. */
  writtenMeanwhile: Partial<CryptoPaymentRequestRow> = {}
  failure: ReadFailure | null = null
  isRefundRegistered = false
  isPaidByAnother = false
  /** By a settle, at this moment. */
  isHeld = true
  orderPlacement: string | undefined = "after_payment"
  isConfigured = true
  keys: Record<string, string[]> = { pp_crypto_default: ["shop-key"] }
  effects: unknown[][] = []

  /** A provider over it, as core makes one. */
  readonly provider = new CryptoPaymentProvider({ cryptoPayments: this })

  readonly requests = {
    findBySession: async (sessionId: string) => this.rows.find((row) => row.session_id === sessionId),
    findByPaymentRequestId: async (id: string | undefined) => {
      if (id === undefined) {
        throw new TypeError("Undefined binding(s) detected when compiling SELECT.") // As Knex does.
      }
      return this.rows.filter((row) => row.payment_request_id === id)
    },
    require: async (id: string) => ({ ...this.rows.find((row) => row.id === id), ...this.writtenMeanwhile }),
    addActivity: async (...activity: unknown[]) => void this.effects.push(["activity", ...activity]),
  }
  readonly links = {
    limitOrder: async (id: string, minutes: number | null) => void this.effects.push(["limit", id, minutes]),
    withdraw: async (...what: unknown[]) => void this.effects.push(["withdraw", ...what]),
    isMoneyWaiting: async () => await Promise.resolve(false),
  }
  readonly refunds = {
    admit: async (...refund: unknown[]) => {
      this.effects.push(["admit", ...refund])
      return this.isRefundRegistered
    },
  }

  readonly issuer = {
    issue: async (asked: object) => {
      this.effects.push(["issue", asked])
      return ROW
    },
  }
  readonly leases = { isHeld: async () => this.isHeld }
  readonly gateways = {
    check: async (found: CryptoPaymentRequestRow) => {
      // As the real one: a recorded PAID is not asked for again.
      if (found.paid_at !== null) {
        return found
      }
      this.effects.push(["read", found.id])
      const { failure } = this
      return { ...found, ...(failure === null ? this.reading : {}), failure }
    },
  }
  readonly settings = {
    find: async () =>
      this.orderPlacement === undefined
        ? undefined
        : {
            isConfigured: this.isConfigured,
            order_placement: this.orderPlacement,
            unpaid_order_ttl_minutes: 30,
          },
    listNotificationKeys: async () => new Map(Object.entries(this.keys)),
  }
  readonly facts = {
    read: async () => ({ paid_by_another: this.isPaidByAnother }),
  }
  readonly queue = {
    requestSettle: async (id: string) => void this.effects.push(["due", id]),
    requestUnlessJustRead: async (id: string) => void this.effects.push(["due unless just read", id]),
  }
}
