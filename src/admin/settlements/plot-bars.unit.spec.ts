import type { Settlements } from "../../http-contract"
import { formatFiat } from "../shared/figures"
import { plotBars, plotPeriod } from "./plot-bars"

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

  it("adds the coins of a period up, exactly", () => {
    const settlements = [row("2026-11-01", "90071992547409.93"), row("2026-11-01", "0.08500000000001")]
    const [bar] = plotBars(report({ settlements }), "usd").bars
    expect(formatFiat(bar?.net ?? "", "usd")).toBe("90,071,992,547,410.01500000000001 USD")
  })

  it("leaves other currencies out", () => {
    const { bars } = plotBars(report({ settlements: [row("2026-11-01", "5.00", "aed")] }), "usd")
    expect(bars.every(({ height }) => height === 0)).toBe(true)
  })

  it("measures heights against the highest bar", () => {
    const settlements = [row("2026-11-01", "50.00"), row("2026-11-02", "25.00")]
    expect(plotBars(report({ settlements }), "usd").bars.map(({ height }) => height)).toEqual([100, 50, 0])
  })

  it("has a round figure at its top, and measures heights against it", () => {
    const settlements = [row("2026-11-01", "20.01"), row("2026-11-02", "10.00")]
    const { bars, top } = plotBars(report({ settlements }), "usd")
    expect([formatFiat(top, "usd"), bars.map(({ height }) => height)]).toEqual(["50.00 USD", [40, 20, 0]])
  })

  it.each([
    ["0.00", "0.00 USD"],
    ["0.40", "1.00 USD"],
    ["1.00", "1.00 USD"],
    ["11.00", "20.00 USD"],
    ["999.99", "1,000.00 USD"],
    ["90071992547409.93", "100,000,000,000,000.00 USD"],
  ])("of a highest bar of %s has %s at its top", (net, top) => {
    const drawn = plotBars(report({ settlements: [row("2026-11-01", net)] }), "usd")
    expect(formatFiat(drawn.top, "usd")).toBe(top)
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
})

describe("plotPeriod", () => {
  it.each([
    ["day", "2026-08-01", "2026-11-01", "day"],
    ["day", "2026-07-31", "2026-11-01", "week"],
    ["day", "2024-10-21", "2026-11-02", "week"],
    ["day", "2024-10-01", "2026-11-02", "month"],
    ["week", "2024-10-01", "2026-11-02", "month"],
    ["week", "2026-10-26", "2026-11-02", "week"],
    ["month", "2026-10-26", "2026-11-02", "month"],
  ] as const)("draws what is asked for by the %s from %s to %s by the %s", (period, from, to, drawn) => {
    expect(plotPeriod({ period, from, to })).toBe(drawn)
  })

  it("draws the longest range there can be to its end, in bars that can be told apart", () => {
    const range = { from: "2016-09-16", to: "2026-11-02" }
    const period = plotPeriod({ period: "day", ...range })
    const { bars } = plotBars(report({ period, ...range }), "usd")
    expect([bars.length, bars[0]?.start, bars[bars.length - 1]?.start]).toEqual([
      123,
      "2016-09-16",
      "2026-11-01",
    ])
  })
})
