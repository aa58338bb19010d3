import type { Settlements } from "./contract"
import { formatFiat } from "./format-amount"
import { plotBars } from "./plot-bars"

const row = (period_start: string, net: string, currency_code = "usd") => ({
  period_start,
  period_end: period_start,
  currency_code,
  coin: "USDT",
  count: 1,
  gross: net,
  fees: "0.00",
  buyer_fees: "0.00",
  net,
  refund_count: 0,
  refunded: "0.00",
})

const report = (over: Partial<Settlements>): Settlements => ({
  period: "day",
  time_zone: "UTC",
  from: "2026-11-01",
  to: "2026-11-04",
  settlements: [],
  totals: [],
  ...over,
})

describe("plotBars", () => {
  it("has a bar for each day, also without a payment, the oldest first", () => {
    const bars = plotBars(report({ settlements: [row("2026-11-03", "20.01")] }), "usd")
    expect(bars.map(({ start, net }) => [start, formatFiat(net, "usd")])).toEqual([
      ["2026-11-01", "0.00 USD"],
      ["2026-11-02", "0.00 USD"],
      ["2026-11-03", "20.01 USD"],
    ])
  })

  it("adds the coins of a period up, exactly", () => {
    const settlements = [row("2026-11-01", "90071992547409.93"), row("2026-11-01", "0.08500000000001")]
    const [bar] = plotBars(report({ settlements }), "usd")
    expect(formatFiat(bar?.net ?? "", "usd")).toBe("90,071,992,547,410.01500000000001 USD")
  })

  it("leaves other currencies out", () => {
    const bars = plotBars(report({ settlements: [row("2026-11-01", "5.00", "aed")] }), "usd")
    expect(bars.every(({ height }) => height === 0)).toBe(true)
  })

  it("measures heights against the highest bar", () => {
    const settlements = [row("2026-11-01", "50.00"), row("2026-11-02", "25.00")]
    expect(plotBars(report({ settlements }), "usd").map(({ height }) => height)).toEqual([100, 50, 0])
  })

  it("begins weeks on the Monday before", () => {
    const bars = plotBars(report({ period: "week", from: "2026-11-04", to: "2026-11-10" }), "usd")
    expect(bars.map(({ start }) => start)).toEqual(["2026-11-02", "2026-11-09"])
  })

  it("counts months by the calendar", () => {
    const bars = plotBars(report({ period: "month", from: "2026-01-31", to: "2026-04-01" }), "usd")
    expect(bars.map(({ start }) => start)).toEqual(["2026-01-01", "2026-02-01", "2026-03-01"])
  })
})
