import { READ_FAILURES } from "./read-failure"
import {
  isEndWord,
  recordedStatus,
  toDecisionInput,
  type DecidedFacts,
  type DecidedRow,
} from "./decision-input"
import type { ReadFailure } from "./read-failure"
import { NO_FACTS, OPEN_ROW } from "./example-row.spec"

const NOW = new Date("2026-11-21T12:00:00Z")
const PAID_AT = new Date("2026-11-21T11:00:00Z")

const ROW: DecidedRow = {
  ...OPEN_ROW,
  created_at: new Date("2026-11-20T12:00:00Z"),
  gateway_status: "UNPAID",
  gateway_amount: "20.02000000000000",
  gateway_currency_symbol: "AED",
}

const reading = (row: Partial<DecidedRow>, failure: ReadFailure | null = null) =>
  toDecisionInput({ ...ROW, ...row }, failure, NO_FACTS, NOW).reading
const medusa = (facts: Partial<DecidedFacts>, ttlMs?: number | null) =>
  toDecisionInput(ROW, null, { ...NO_FACTS, ...facts }, NOW, ttlMs).medusa

describe("toDecisionInput", () => {
  it("takes what the ledger expects, watched for seven days, and the time it is given", () => {
    const input = toDecisionInput({ ...ROW, paid_at: PAID_AT }, null, NO_FACTS, NOW)
    expect(input.ledger).toEqual({
      amount: "20.01",
      currencyCode: "usd",
      paidAt: PAID_AT,
      watchUntil: new Date("2026-11-27T12:00:00Z"),
      isOffered: true,
      isSettled: false,
      attention: null,
      isLinkAsked: false,
      isOfOrder: false,
      isReportedPaid: false,
    })
    expect(input.now).toBe(NOW)
  })

  it("does not trust that 404 after a genuine notification said PAID", () => {
    const notified = { is_reported_paid: true, notified_at: NOW }
    expect(reading(notified, "unknown_to_gateway")).toEqual({ outcome: "refused", failingSince: NOW })
  })

  it("takes status, amount and currency from the gateway's own record", () => {
    expect(reading({})).toEqual({
      outcome: "read",
      status: "UNPAID",
      amount: "20.02000000000000",
      currencySymbol: "AED",
    })
  })

  it("takes the ledger's where no read was ever written down", () => {
    expect(reading({ gateway_amount: null, gateway_currency_symbol: null })).toMatchObject({
      amount: "20.01",
      currencySymbol: "usd",
    })
  })

  it.each(READ_FAILURES)("counts a failure of the kind %s from when it began", (failure) => {
    expect(reading({ failing_since: PAID_AT }, failure)).toEqual({
      outcome: failure,
      failingSince: PAID_AT,
    })
    expect(reading({}, failure)).toEqual({ outcome: failure, failingSince: NOW })
  })

  it("finds nothing where Medusa has nothing", () => {
    expect(medusa({})).toEqual({
      session: null,
      payment: null,
      order: null,
      registeredRefund: "0",
      orderDeleted: false,
      hasCart: false,
      isDeposit: false,
      paidByAnother: false,
      paidAgain: false,
      providerMissing: false,
      isAdoptable: false,
      isCollectionDeleted: false,
    })
  })

  it.each([
    ["no collection", {}, false],
    ["a collection that asks for it", { adopting_collection_id: "pay_col_1" }, true],
    ["a deleted collection of an order that owes it", { needs_collection: true }, true],
    ["a deleted collection", { is_collection_deleted: true }, false],
  ])("money with %s can be given a session: %#", (_, facts, isAdoptable) => {
    expect(medusa(facts).isAdoptable).toBe(isAdoptable)
  })

  it("takes the live session with its amount and currency, and none that lacks either", () => {
    const session = { session_amount: "20.01", session_currency_code: "usd" }
    expect(medusa(session).session).toEqual({ amount: "20.01", currencyCode: "usd" })
    expect(medusa({ ...session, session_amount: null }).session).toBeNull()
    expect(medusa({ ...session, session_currency_code: null }).session).toBeNull()
  })

  it.each([
    ["0", "0", { captured: false, refundedInFull: true }],
    ["20.01", "0", { captured: true, refundedInFull: false }],
    ["20.01", "20.00", { captured: true, refundedInFull: false }],
    ["20.01", "20.01", { captured: true, refundedInFull: true }],
    ["20.01", "20.02", { captured: true, refundedInFull: true }],
  ])("sees in %s captured and %s refunded: %j", (payment_captured, payment_refunded, payment) => {
    expect(medusa({ payment_id: "pay_1", payment_captured, payment_refunded }).payment).toMatchObject(payment)
  })

  it.each([
    ["20.01", "20.01", true],
    ["20.01", "40.02", true],
    ["40.02", "20.01", false],
    [null, "20.01", true],
  ])("a collection that asks for %s is covered by %s: %s", (collection_amount, captured, isCovered) => {
    const facts = { payment_id: "pay_1", collection_amount, collection_captured: captured }
    expect(medusa(facts).payment?.coversCollection).toBe(isCovered)
  })

  it("takes the order as it is now", () => {
    const facts = {
      order_id: "order_1",
      order_canceled: true,
      order_booked: true,
      order_unpaid: "5.00",
      link_amount: "4.00",
    }
    expect(medusa(facts).order).toEqual({
      canceled: true,
      booked: true,
      unpaidDifference: "5.00",
      linkAmount: "4.00",
      expiresAt: null,
    })
    expect(medusa({ ...facts, order_unpaid: null }).order?.unpaidDifference).toBe("0")
  })

  it("has an unpaid order expire after its time, where the shop set one", () => {
    const facts = { order_id: "order_1", order_expires_from: PAID_AT }
    expect(medusa(facts, 30 * 60_000).order?.expiresAt).toEqual(new Date("2026-11-21T11:30:00Z"))
    expect(medusa(facts, null).order?.expiresAt).toBeNull()
    expect(medusa({ ...facts, order_expires_from: null }, 30 * 60_000).order?.expiresAt).toBeNull()
  })

  it("takes whether the order was deleted or paid again, and whether the provider is registered", () => {
    expect(medusa({ order_deleted: true, is_paid_again: true, provider_missing: true })).toMatchObject({
      orderDeleted: true,
      paidAgain: true,
      providerMissing: true,
    })
  })

  it("takes what was sent back, whether a cart waits, and whether another payment has paid", () => {
    expect(medusa({ registered_refund: "3.00", cart_id: "cart_1", paid_by_another: true })).toMatchObject({
      registeredRefund: "3.00",
      hasCart: true,
      paidByAnother: true,
    })
  })
})

describe("recordedStatus", () => {
  it.each([
    ["UNPAID", "UNPAID"],
    ["PENDING", "PENDING"],
    ["PAID", "UNKNOWN"],
    [null, "UNKNOWN"],
    ["EXPIRED", "UNKNOWN"],
    ["Canceled", "UNKNOWN"],
    ["timed out", "UNKNOWN"],
    ["REFUNDED", "UNKNOWN"],
    ["CONFIRMING", "PENDING"],
    ["PARTIALLY_PAID", "PENDING"],
    ["PARTIALLY_REFUNDED", "PENDING"],
    ["NOT_EXPIRED", "PENDING"],
    ["paid", "PENDING"],
    ["PAID ", "PENDING"],
    ["Pending", "PENDING"],
    ["unpaid", "UNPAID"],
    ["Unpaid", "UNPAID"],
    [" UNPAID\n", "UNPAID"],
    ["UNPAID\nPAID", "PENDING"],
    ["NOT UNPAID", "PENDING"],
    [" expired", "UNKNOWN"],
    ["", "PENDING"],
  ])("of %p, when PAID was never recorded, is %s", (gateway_status, status) => {
    expect(recordedStatus({ paid_at: null, gateway_status })).toBe(status)
  })

  it.each(["PAID", "UNPAID", "PENDING", null])(
    "is PAID for ever once that was recorded (now %p)",
    (gateway_status) => {
      expect(recordedStatus({ paid_at: PAID_AT, gateway_status })).toBe("PAID")
    }
  )
})

describe("isEndWord", () => {
  const isEnd = (gateway_status: string | null, row = {}) =>
    isEndWord({ paid_at: null, last_checked_at: NOW, gateway_status, ...row })

  it.each([
    ...["EXPIRE", "EXPIRED", "expired", "CANCEL", "CANCELED", "CANCELLED", "Cancelled", "FAIL", "FAILED"],
    ...["FAILURE", "DECLINED", "REJECTED", "VOID", "VOIDED", "ABORTED", "TIMEOUT", "TIME_OUT", "TIMED OUT"],
    ...["timed-out", "REFUNDED", "EXPIRED ", "\t expired\r\n", "DENIED", "ABANDONED"],
    ...[
      "CANCELLED_BY_USER",
      "canceled by the payer",
      "REJECTED-BY-BANK",
      "PAYMENT_EXPIRED",
      "PaymentExpired",
    ],
    ...["PAYMENT_REQUEST_EXPIRED", "USER CANCELLED", "INVOICE-VOIDED_BY_MERCHANT"],
  ])("is %j", (word) => {
    expect(isEnd(word)).toBe(true)
  })

  it.each([
    ...["UNPAID", "PENDING", "PAID", "paid", "CONFIRMING", "PARTIALLY_PAID", "UNEXPIRED", "REFUND_FAILED"],
    ...[
      "EXPIRED\nPAID",
      "",
      null,
      "PAYMENT",
      "PAYMENT_UNEXPIRED",
      "NOT CANCELLED",
      "BY_USER",
      "CANCEL_REQUESTED",
    ],
    ...["REFUNDED_BY_MERCHANT_FAILED", "CANCELLED_BY_USER_BUT_PAID", "REQUEST_TIMEOUT", "SYSTEM_FAILURE"],
    ...["REFUND_DENIED", "PARTIALLY_REFUNDED_BY_MERCHANT", "EXPIRED_PAID", "PAID_BY_USER", "EXPIRED_BY_"],
  ])("is not %j", (word) => {
    expect(isEnd(word)).toBe(false)
  })

  it("is not what the answer to the creation says, and not what is said after PAID was recorded", () => {
    expect(isEnd("EXPIRED", { last_checked_at: null })).toBe(false)
    expect(isEnd("EXPIRED", { paid_at: PAID_AT })).toBe(false)
  })
})
