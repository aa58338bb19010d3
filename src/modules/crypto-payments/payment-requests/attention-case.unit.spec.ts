import { opensCase } from "./attention-case"

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 21, hour))
const row = (attention_reason: string | null, more: { paid_at?: Date; attention_since?: Date } = {}) => ({
  attention_reason,
  attention_since: attention_reason === null ? null : at(1),
  paid_at: null,
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

  it("opens no second one of money whose provider is missing", () => {
    expect(opensCase(row("provider_missing", { paid_at: at(0) }), "provider_missing")).toBe(false)
  })
})
