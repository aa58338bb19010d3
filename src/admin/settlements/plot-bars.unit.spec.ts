import type { Settlements } from "../../http-contract"
import { formatFiat } from "../shared/figures"
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
  not_captured_count: 0,
  not_captured: "0.00",
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
    const { bars } = plotBars(report({ settlements: [row("2026-11-03", "20.01")] }), "usd")
    expect(bars.map(({ start, net }) => [start, formatFiat(net, "usd")])).toEqual([
      ["2026-11-01", "0.00 USD"],
      ["2026-11-02", "0.00 USD"],
      ["2026-11-03", "20.01 USD"],
    ])
  })

  it("adds the coins of a period up", () => {
    const settlements = [row("2026-11-01", "20.01"), row("2026-11-01", "0.08500000000001")]
    const [bar] = plotBars(report({ settlements }), "usd").bars
    expect(formatFiat(bar?.net ?? "", "usd")).toBe("20.095 USD")
  })

  it("leaves other currencies out", () => {
    const { bars } = plotBars(report({ settlements: [row("2026-11-01", "5.00", "aed")] }), "usd")
    expect(bars.every(({ height }) => height === 0)).toBe(true)
  })

  it("measures heights against the highest bar", () => {
    const settlements = [row("2026-11-01", "50.00"), row("2026-11-02", "25.00")]
    expect(plotBars(report({ settlements }), "usd").bars.map(({ height }) => height)).toEqual([100, 50, 0])
  })

  it("names the highest, also of nothing but zeros", () => {
    const settlements = [row("2026-11-01", "92.5749"), row("2026-11-02", "10.00")]
    expect(formatFiat(plotBars(report({ settlements }), "usd").highest, "usd")).toBe("92.5749 USD")
    const nothing = plotBars(report({ settlements: [row("2026-11-01", "0.00")] }), "usd")
    expect([formatFiat(nothing.highest, "usd"), nothing.bars[0]?.height]).toEqual(["0.00 USD", 0])
  })

  it("begins weeks on the Monday, the first with the range, and has the money of a week in part", () => {
    const settlements = [row("2026-11-04", "3.00"), row("2026-11-09", "4.00")]
    const range = { period: "week" as const, from: "2026-11-04", to: "2026-11-10", settlements }
    const { bars } = plotBars(report(range), "usd")
    expect(bars.map(({ start, net }) => [start, formatFiat(net, "usd")])).toEqual([
      ["2026-11-04", "3.00 USD"],
      ["2026-11-09", "4.00 USD"],
    ])
  })

  it("counts months by the calendar", () => {
    const { bars } = plotBars(report({ period: "month", from: "2026-01-31", to: "2026-04-01" }), "usd")
    expect(bars.map(({ start }) => start)).toEqual(["2026-01-31", "2026-02-01", "2026-03-01"])
  })

  it("has no bar of a range of more periods than can be told apart", () => {
    expect(plotBars(report({ from: "2026-07-01", to: "2026-11-02" }), "usd").bars).toHaveLength(124)
    expect(plotBars(report({ from: "2026-06-30", to: "2026-11-02" }), "usd").bars).toEqual([])
  })
})
