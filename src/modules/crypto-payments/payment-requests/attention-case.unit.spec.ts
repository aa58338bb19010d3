import { OPEN_ROW } from "../../../decision/example-row.spec"
import { isCaseOver, opensCase } from "./attention-case"

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour))
const row = (
  attention_reason: string | null,
  more: { paid_at?: Date; attention_resolved_at?: Date } = {}
) => ({
  ...OPEN_ROW,
  attention_reason,
  attention_since: attention_reason === null ? null : at(1),
  ...more,
})

describe("opensCase", () => {
  it("opens one for a new reason, and none for the reason that is open", () => {
    expect(opensCase(row(null), "orphan_paid")).toBe(true)
    expect(opensCase(row("orphan_paid"), "orphan_paid")).toBe(false)
    expect(opensCase(row("orphan_paid"), "duplicate_payment")).toBe(true)
    expect(opensCase(row("gateway_refuses"), "order_not_canceled")).toBe(true)
  })

  it.each(["gateway_refuses", "gateway_unreadable", "provider_missing"] as const)(
    "opens none for %s while the gateway could not be read for another reason",
    (reason) => {
      for (const open of ["gateway_refuses", "gateway_unreadable", "provider_missing"]) {
        expect(opensCase(row(open), reason)).toBe(false)
      }
    }
  )

  it.each(["gateway_refuses", "provider_missing"])("opens one of the money after the case %s", (open) => {
    expect(opensCase(row(open, { paid_at: at(2) }), "provider_missing")).toBe(true)
    expect(opensCase(row(open, { paid_at: at(2) }), "orphan_paid")).toBe(true)
  })

  it("opens one again of money that cannot be settled only when the first was of before the payment", () => {
    expect(opensCase(row("settle_fails", { paid_at: at(0) }), "settle_fails")).toBe(false)
    expect(opensCase(row("settle_fails", { paid_at: at(2) }), "settle_fails")).toBe(true)
  })

  it("opens none of money without an order once an admin user has dealt with money that could not be settled", () => {
    const open = row("settle_fails", { paid_at: at(0) })
    expect(opensCase(open, "paid_without_order")).toBe(true)
    for (const captured_at of [null, at(3)]) {
      const closed = { ...open, captured_at, attention_resolved_at: at(2) }
      expect(opensCase(closed, "paid_without_order")).toBe(false)
      expect(opensCase(closed, "orphan_paid")).toBe(false)
      expect(opensCase(closed, "order_overpaid")).toBe(true)
    }
  })

  it("opens none of the same money for another reason once an admin user has dealt with it, unless it was captured since", () => {
    const open = row("orphan_paid", { paid_at: at(0) })
    const closed = { ...open, attention_resolved_at: at(2) }
    for (const reason of ["duplicate_payment", "paid_on_canceled", "amount_mismatch"] as const) {
      expect(opensCase(open, reason)).toBe(true)
      expect(opensCase(closed, reason)).toBe(false)
      expect(opensCase({ ...closed, captured_at: at(3) }, reason)).toBe(true)
    }
    expect(opensCase(closed, "order_underpaid")).toBe(true)
    for (const before of ["settle_fails", "provider_missing"]) {
      expect(opensCase({ ...closed, attention_reason: before }, "duplicate_payment")).toBe(false)
    }
  })

  it("opens none of an unread gateway once an admin user has dealt with a part", () => {
    const open = row("partly_paid")
    expect(opensCase(open, "gateway_refuses")).toBe(true)
    expect(opensCase({ ...open, attention_resolved_at: at(2) }, "gateway_refuses")).toBe(false)
    expect(opensCase({ ...open, attention_resolved_at: at(2) }, "order_not_canceled")).toBe(true)
    const paid = { ...open, attention_resolved_at: at(2), paid_at: at(3) }
    expect(opensCase(paid, "provider_missing")).toBe(true)
  })

  it("opens none of a missing provider once an admin user has dealt with the money", () => {
    const open = row("paid_without_order", { paid_at: at(0) })
    expect(opensCase(open, "provider_missing")).toBe(true)
    expect(opensCase({ ...open, attention_resolved_at: at(2) }, "provider_missing")).toBe(false)
  })

  it("is open to another fault once settles of an unpaid link end again, also after an admin user has closed it", () => {
    const outcome = {
      orderId: null,
      capturedAt: null,
      settledAt: null,
      nextCheckAt: null,
      endsCases: "unpaid" as const,
    }
    const closed = row("settle_fails", { attention_resolved_at: at(2) })
    expect(isCaseOver(row("settle_fails"), outcome)).toBe(true)
    expect(isCaseOver(closed, outcome)).toBe(true)
    expect(isCaseOver({ ...closed, paid_at: at(0) }, outcome)).toBe(false)
  })

  it("opens no second one of money whose provider is missing", () => {
    expect(opensCase(row("provider_missing", { paid_at: at(0) }), "provider_missing")).toBe(false)
  })
})
