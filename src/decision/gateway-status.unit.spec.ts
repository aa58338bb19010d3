import { OPEN_ROW } from "./example-row.spec"
import { isEndWord, isReported, recordedStatus, toSessionStatus, toWebhookAction } from "./gateway-status"

const PAID_AT = new Date("2026-11-21T11:00:00Z")

describe("isReported", () => {
  const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour))
  const told = { ...OPEN_ROW, is_reported_paid: true, notified_at: at(2) }

  it.each([
    ["not PAID by anyone", { is_reported_paid: false }, false],
    ["no case", {}, true],
    ["read as PAID", { paid_at: at(3) }, false],
    ["an admin user had closed a case before", { denied_at: at(1) }, true],
    ["an admin user has closed a case since", { denied_at: at(4) }, false],
  ])("%s, with %j: %s", (_, changes, expected) => {
    expect(isReported({ ...told, ...changes })).toBe(expected)
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
    ["timeout", "UNKNOWN"],
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
    expect(recordedStatus({ ...OPEN_ROW, gateway_status })).toBe(status)
  })

  it.each(["PAID", "UNPAID", "PENDING", null])(
    "is PAID for ever once that was recorded (now %p)",
    (gateway_status) => {
      expect(recordedStatus({ ...OPEN_ROW, paid_at: PAID_AT, gateway_status })).toBe("PAID")
    }
  )
})

describe("isEndWord", () => {
  const isEnd = (gateway_status: string | null, row = {}) =>
    isEndWord({ ...OPEN_ROW, gateway_amount: "20.01", gateway_status, ...row })

  it.each([
    ...[
      "EXPIRED",
      "expired",
      "CANCELED",
      "CANCELLED",
      "Cancelled",
      "FAILED",
      "DECLINED",
      "REJECTED",
      "VOIDED",
    ],
    ...["TIMEOUT", "REFUNDED", "EXPIRED ", "\t expired\r\n"],
  ])("is %j", (word) => {
    expect(isEnd(word)).toBe(true)
  })

  it.each([
    ...["UNPAID", "PENDING", "PAID", "paid", "CONFIRMING", "PARTIALLY_PAID", "UNEXPIRED", "REFUND_FAILED"],
    ...["EXPIRED\nPAID", "", null, "PAYMENT_EXPIRED", "NOT CANCELLED", "CANCEL_REQUESTED", "EXPIRED_PAID"],
  ])("is not %j", (word) => {
    expect(isEnd(word)).toBe(false)
  })

  it("is not what the answer to the creation says, and not what is said after PAID was recorded", () => {
    expect(isEnd("EXPIRED", { gateway_amount: null })).toBe(false)
    expect(isEnd("EXPIRED", { paid_at: PAID_AT })).toBe(false)
  })
})

describe("toSessionStatus", () => {
  it.each([
    ["PAID", "captured"],
    ["PENDING", "pending"],
    ["UNPAID", "requires_more"],
    ["UNKNOWN", "requires_more"],
  ] as const)("%s is %s", (status, expected) => {
    expect(toSessionStatus(status)).toBe(expected)
  })
})

describe("toWebhookAction", () => {
  it.each([
    ["PAID", "captured"],
    ["PENDING", "pending"],
    ["UNPAID", "requires_more"],
    ["paid", "not_supported"],
    [null, "not_supported"],
  ])("%s is %s", (word, expected) => {
    expect(toWebhookAction(word)).toBe(expected)
  })
})
