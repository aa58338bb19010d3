import { checkoutForm, checkoutInput } from "./checkout-form"
import { connectionForm, connectionInput } from "./connection-form"
import type { CryptoSettings } from "../../http-contract"
import { notWhole, wholeNumber } from "./whole-number"

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
    auth_type: field("none"),
    auth_username: field(),
  },
  secrets: {},
} as unknown as CryptoSettings

describe("wholeNumber", () => {
  it.each([
    ["90", 90],
    [" 90 ", 90],
    ["\u0669\u0660", 90],
    ["\u06f9\u06f0", 90],
    ["", null],
    ["1h", undefined],
    ["1.5", undefined],
    ["-1", undefined],
    ["1e3", undefined],
    ["1,000", undefined],
    ["9".repeat(16), undefined],
  ])("reads %j as %j", (typed, number) => {
    expect(wholeNumber(typed)).toBe(number)
  })

  it("lets a form name what is none", () => {
    expect(notWhole({ timeout_ms: "1h", unpaid_order_ttl_minutes: "" })).toEqual(["timeout_ms"])
  })
})

describe("the forms", () => {
  it("send Arabic digits as a number, and remove a setting only when its field is emptied", () => {
    const checkout = checkoutForm(settings)
    const connection = connectionForm(settings)
    const minutes = (unpaidOrderTtlMinutes: string) =>
      checkoutInput({ ...checkout, unpaidOrderTtlMinutes }, settings)
    const timeout = (timeoutMs: string) => connectionInput({ ...connection, timeoutMs }, settings)
    expect(minutes("\u0669\u0660")).toEqual({ unpaid_order_ttl_minutes: 90 })
    expect(timeout("\u0669\u0660\u0660")).toEqual({ timeout_ms: 900 })
    expect([minutes(""), timeout("")]).toEqual([{ unpaid_order_ttl_minutes: null }, { timeout_ms: null }])
    expect([minutes("1h"), timeout("1h")]).toEqual([{}, {}])
  })
})
