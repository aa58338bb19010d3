import type { CryptoSettings } from "../../http-contract"
import { SETTING_SCHEMAS } from "../../modules/crypto-payments/settings/options-schema"
import { changedSettings, typedFrom } from "./setting-fields"

const field = (value: unknown = null) => ({ value, source: "default", locked: false })
const settings = {
  fields: {
    base_url: field(),
    success_url: field(),
    failed_url: field(),
    order_placement: field("before_payment"),
    unpaid_order_ttl_minutes: field(60),
    timeout_ms: field(8000),
    payment_link_hosts: field(),
    reuse_open_links: field(true),
    min_amount: field({ aed: "20.00", usd: "5.00" }),
    max_amount: field(),
    auth_type: field("none"),
    auth_username: field(),
  },
  secrets: {},
} as unknown as CryptoSettings

describe("the forms", () => {
  const typed = typedFrom(settings)

  it.each([
    ["90", 90],
    [" 90 ", 90],
    ["\u06f9\u06f0", 90],
    ["1,000", 1000],
    ["1h", "1h"],
    ["1.5", "1.5"],
    ["9".repeat(16), "9".repeat(16)],
  ])("send %j as %j: the API refuses what is no number", (timeout_ms, sent) => {
    expect(changedSettings({ ...typed, timeout_ms }, settings)).toEqual({ timeout_ms: sent })
  })

  it("send Arabic digits as a number, and remove a setting only when its field is emptied", () => {
    const minutes = (unpaid_order_ttl_minutes: string) =>
      changedSettings({ ...typed, unpaid_order_ttl_minutes }, settings)
    const timeout = (timeout_ms: string) => changedSettings({ ...typed, timeout_ms }, settings)
    expect(minutes("\u0669\u0660")).toEqual({ unpaid_order_ttl_minutes: 90 })
    expect(timeout("\u0669\u0660\u0660")).toEqual({ timeout_ms: 900 })
    expect([minutes(""), timeout("")]).toEqual([{ unpaid_order_ttl_minutes: null }, { timeout_ms: null }])
    const hidden = { ...typed, order_placement: "after_payment", unpaid_order_ttl_minutes: "1h" }
    expect(changedSettings(hidden, settings)).toEqual({ order_placement: "after_payment" })
  })

  it("have an amount for each currency, and send those that are not empty", () => {
    expect([typed["min_amount"], typed["max_amount"]]).toEqual([{ aed: "20.00", usd: "5.00" }, ""])
    const sent = (max_amount: Record<string, string>) => changedSettings({ ...typed, max_amount }, settings)
    expect(sent({ usd: " 10,000 ", aed: "٤٠٠٠٠٫٥" })).toEqual({
      max_amount: { usd: "10000", aed: "40000.5" },
    })
    expect(sent({ usd: "", aed: " " })).toEqual({})
    const one = { ...typed, min_amount: { aed: "", usd: "5.00" } }
    expect(changedSettings(one, settings)).toEqual({ min_amount: { usd: "5.00" } })
    const emptied = { ...typed, min_amount: { aed: "", usd: "" } }
    expect(changedSettings(emptied, settings)).toEqual({ min_amount: null })
  })

  it.each(["five", "5 USD", "1,50", "-5", "5 $"])("leave %j to the API, which refuses it", (usd) => {
    const sent = changedSettings({ ...typed, max_amount: { usd } }, settings).max_amount
    expect(sent).toEqual({ usd })
    expect(SETTING_SCHEMAS["max_amount"]?.safeParse(sent).success).toBe(false)
  })

  it("send of an authentication what its type takes, and nothing when it was not touched", () => {
    const input = (more: Record<string, string>) => changedSettings({ ...typed, ...more }, settings)
    expect(input({})).toEqual({})
    expect(input({ auth_type: "basic", auth_username: "u", "auth.password": "p" })).toEqual({
      auth: { type: "basic", username: "u", password: "p" },
    })
    expect(input({ auth_type: "signature", "auth.api_key": "k" })).toEqual({
      auth: { type: "signature", api_key: "k", secret_key: "" },
    })
  })
})
