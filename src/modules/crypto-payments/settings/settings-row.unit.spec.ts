import { readRow, writeRow } from "./settings-row"
import type { SavedOptions } from "./stored-settings"

/** The same settings as version 0.1 stores them, and as they are read. */
const AS_BEFORE = {
  base_url: "https://a.example/api/v1",
  unpaid_order_ttl_minutes: 30,
  payment_link_hosts: ["pay.example"],
  reuse_open_links: false,
  auth_type: "signature",
  auth_header_names: { api_key: "X-Key" },
}
const OPTIONS: SavedOptions = {
  baseUrl: "https://a.example/api/v1",
  unpaidOrderTtlMinutes: 30,
  paymentLinkHosts: ["pay.example"],
  reuseOpenLinks: false,
  auth: { type: "signature", headerNames: { apiKey: "X-Key" } },
}
const SECRETS = { "auth.api_key": ["v2.a"], "auth.headers.X_under_score": ["v2.b"] }

const read = (plain: Record<string, unknown>) =>
  readRow({ version: 3, updated_at: null, bound_base_url: null, plain, secrets: SECRETS })
const write = (options: SavedOptions) => writeRow({ options, secrets: read({}).secrets })

describe("a row of settings", () => {
  it("of version 0.1 is read", () => {
    expect(read(AS_BEFORE)).toEqual({
      version: 3,
      updated_at: null,
      bound_base_url: null,
      options: OPTIONS,
      secrets: { "auth.api_key": [{ sealed: "v2.a" }], "auth.headers.X_under_score": [{ sealed: "v2.b" }] },
    })
    expect(read({ auth_type: "basic", auth_username: "u" }).options).toEqual({
      auth: { type: "basic", username: "u" },
    })
    expect(read({}).options).toEqual({})
  })

  it("is written so that version 0.1 reads the same", () => {
    expect(write(OPTIONS)).toEqual({ plain: { ...AS_BEFORE, options: OPTIONS }, secrets: SECRETS })
  })

  it("is read as it was written", () => {
    expect(read(write(OPTIONS).plain).options).toEqual(OPTIONS)
    expect(read(write({}).plain).options).toEqual({})
  })

  it("that version 0.1 has saved since says what that saved", () => {
    const { options: _, ...kept } = write(OPTIONS).plain
    expect(read({ ...kept, timeout_ms: 900 }).options).toEqual({ ...OPTIONS, timeoutMs: 900 })
  })
})
