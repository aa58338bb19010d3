import { normalizeHost, readPaymentLink } from "./payment-link"

describe("readPaymentLink takes", () => {
  it.each([
    ["https://pay.example/pr_1", true],
    ["http://localhost:4010/pay/pr_1", true],
    ["http://pay.example/pr_1", false],
    ["javascript:alert(1)", false],
    ["/pay/pr_1", false],
    ["https://user@pay.example/pr_1", false],
    ["https://:key@pay.example/pr_1", false],
  ])("%s with any host: %p", (link, acceptable) => {
    expect(readPaymentLink(link, undefined) !== undefined).toBe(acceptable)
  })

  it.each([
    ["https://pay.example/pr_1", true],
    ["https://pay.example:8443/pr_1", true],
    ["https://other.example:9443/pr_1", true],
    ["https://other.example/pr_1", false],
    ["https://pay.example.evil.example/pr_1", false],
    ["https://evil.example/pay.example", false],
    // Programs that do not follow the standard of browsers take another host out of these.
    ["https://pay.example\\@evil.example/", false],
    ["https://evil.example\\@pay.example/", false],
    ["\thttps://pay.example/pr_1", false],
    ["https://pay.example/pr_1\n", false],
    ["https://pay.\texample/pr_1", false],
    ["https://pay.example/\u0000", false],
    ["https://pay.example/\u0085", false],
  ])("%s with a list of hosts: %p", (link, acceptable) => {
    expect(readPaymentLink(link, ["PAY.example", "other.example:9443"]) !== undefined).toBe(acceptable)
  })

  it("no link when the list is empty", () => {
    expect(readPaymentLink("https://pay.example/pr_1", [])).toBeUndefined()
  })
})

describe("normalizeHost", () => {
  it.each([
    ["pay.example", "pay.example"],
    ["PAY.Example", "pay.example"],
    ["pay.example:8443", "pay.example:8443"],
    ["pay.example:443", "pay.example:443"],
    ["bücher.example", "xn--bcher-kva.example"],
    ["localhost:4010", "localhost:4010"],
    ["127.0.0.1", "127.0.0.1"],
    ["[::1]:4010", "[::1]:4010"],
    ["https://pay.example/pay/?a=b", "pay.example"],
    ["https://pay.example:8443/pay", "pay.example:8443"],
    ["http://pay.example/pay", "pay.example"],
  ])("takes %s as %s", (text, host) => {
    expect(normalizeHost(text)).toBe(host)
  })

  it.each([
    "",
    "???",
    "foo bar",
    "bar/x",
    "https://foo bar/x",
    "pay.example/",
    "*.pay.example",
    "pay.example:99999",
    "pay..example",
    "pay.example.",
    "-pay.example",
    "user@pay.example",
    "https://user:key@pay.example/",
    "ftp://pay.example",
    "pay.example\\x",
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(124)}example`,
  ])("refuses %j, which no link can have as its host", (text) => {
    expect(normalizeHost(text)).toBeUndefined()
  })

  it.each(["https://pay.example:443/pr_1", "https://pay.example/pr_1"])(
    "gives what %s is compared with when one port is named",
    (link) => {
      expect(readPaymentLink(link, [normalizeHost("pay.example:443") ?? ""])).toBeDefined()
      expect(readPaymentLink(link, [normalizeHost("pay.example:8443") ?? ""])).toBeUndefined()
    }
  )
})

describe("readPaymentLink", () => {
  it.each([
    ["https://pay.example/pr_1?a=b#c", "https://pay.example/pr_1?a=b#c"],
    ["https:pay.example/pr_1", "https://pay.example/pr_1"],
    [" https://PAY.example:443/a b ", "https://pay.example/a%20b"],
    ["https://bücher.example/pr_1", "https://xn--bcher-kva.example/pr_1"],
  ])("gives %j as every program reads it: %s", (link, href) => {
    expect(readPaymentLink(link, undefined)).toBe(href)
  })

  it("gives nothing of a link that must not be shown", () => {
    expect(readPaymentLink("javascript:alert(1)", undefined)).toBeUndefined()
  })
})
