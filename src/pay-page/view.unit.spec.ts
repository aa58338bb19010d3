import { createHash } from "node:crypto"
import { LANGUAGES, TEXTS } from "./texts"
import { PAGE_HEADERS, renderPage, type ShownPage } from "./view"

const OWED = { amount: "1234.50", currency_code: "usd" }

/** Every state, with words of it in each language. */
const STATES: [state: ShownPage["state"], en: string, ar: string][] = [
  [{ kind: "to_pay", ...OWED, has_link: false }, "To pay", "المبلغ المطلوب"],
  [{ kind: "confirming", ...OWED, can_continue: false }, "Payment is being confirmed", "جارٍ تأكيد الدفعة"],
  [{ kind: "part" }, "Part of your payment has arrived", "وصل جزء من دفعتك"],
  [{ kind: "review" }, "Payment is being checked", "المتجر يراجع الدفعة"],
  [{ kind: "paid", paid_at: null, reference: null }, "Nothing to pay", "لا شيء للدفع"],
  [{ kind: "canceled" }, "Cancelled", "ملغى"],
  [{ kind: "not_found" }, "This page does not exist", "هذه الصفحة غير موجودة"],
  ...(["not_available", "currency", "closed", "authorized", "order_gone"] as const).map(
    (because): [ShownPage["state"], string, string] => [
      { kind: "unavailable", because },
      TEXTS.en.obstacles[because],
      TEXTS.ar.obstacles[because],
    ]
  ),
]

const render = (changes: Partial<ShownPage> = {}): string =>
  renderPage({
    language: "en",
    shop: "Al Noor Books",
    display_id: 12,
    state: { kind: "to_pay", ...OWED, has_link: false },
    items: [],
    shop_url: null,
    problem: null,
    ...changes,
  })

/** What a reader of the page gets, without its style and script. */
const wordsOf = (html: string): string =>
  html
    .replaceAll(/<(style|script)>[\s\S]*?<\/\1>/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")

describe.each(LANGUAGES)("a pay page in %s", (language) => {
  it.each(STATES)("says in its own words: %j", (state, ...words) => {
    const html = render({ state, language })
    expect(wordsOf(html)).toContain(words[LANGUAGES.indexOf(language)])
    expect(html).toContain(`<html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}">`)
  })

  it.each(STATES)(
    "has one h1, a main and a live region, and a button only where there is something to pay: %j",
    (state) => {
      const html = render({ state, language })
      const count = (part: string): number => html.split(part).length - 1
      const isPayable = state.kind === "to_pay" || state.kind === "part"
      expect([count("<h1>"), count("<main>"), count('role="status"')]).toEqual([1, 1, 1])
      expect([count("<button>"), count('<form method="post">')]).toEqual(isPayable ? [1, 1] : [0, 0])
    }
  )

  it.each(STATES)("has at most 15 kB, and names no other address: %j", (state) => {
    const html = render({ state, language })
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(15_000)
    expect(html).not.toMatch(/https?:|src=|url\(/)
  })
})

it("has a text for each state and each obstacle in each language, and none twice", () => {
  for (const { states, obstacles, problems } of Object.values(TEXTS)) {
    const texts = [
      ...Object.values(states).map(({ text }) => text),
      ...Object.values({ ...obstacles, ...problems }),
    ]
    expect(texts.filter((text) => text.trim() === "")).toEqual([])
    expect(new Set(texts).size).toBe(texts.length)
  }
})

it("shows the amount with its currency's code and the order's number", () => {
  expect(wordsOf(render())).toContain("Order #12 To pay 1,234.50 USD")
  expect(wordsOf(render({ language: "ar" }))).toContain("1,234.50 USD")
})

it("leads back to the payment page while somebody may have left it", () => {
  const begun = { kind: "confirming", ...OWED } as const
  expect(render({ state: { ...begun, can_continue: true } })).toContain(`<button>${TEXTS.en.goOn}</button>`)
  expect(render({ state: { ...begun, can_continue: false } })).not.toContain("<button")
})

it("shows an amount in a currency that ISO 4217 does not have", () => {
  const state = { kind: "confirming", amount: "5.00", currency_code: "usdt", can_continue: true } as const
  expect(wordsOf(render({ state }))).toContain("5.00 USDT")
})

it("shows when an order was paid, and the gateway's reference", () => {
  const paid_at = new Date("2026-11-29T10:51:00Z")
  const state = { kind: "paid", paid_at, reference: "REF-1" } as const
  expect(wordsOf(render({ state }))).toMatch(
    /Paid on November 29, 2026 at 10:51\sAM UTC Payment reference REF-1/
  )
  expect(wordsOf(render({ state, language: "ar" }))).toMatch(/29.*2026.*10:51.*UTC.*REF-1/)
})

it("says why there is no payment link only while there is something to pay", () => {
  const { later, email } = TEXTS.en.problems
  expect(wordsOf(render({ problem: "later" }))).toContain(later)
  expect(wordsOf(render({ problem: "email" }))).toContain(email)
  expect(wordsOf(render({ problem: "later", state: { kind: "part" } }))).toContain(later)
  expect(wordsOf(render({ problem: "later", state: { kind: "canceled" } }))).not.toContain(later)
})

it.each([
  ["to pay, with a link that somebody may be paying", { kind: "to_pay", ...OWED, has_link: true }, true],
  ["to pay, without a link", { kind: "to_pay", ...OWED, has_link: false }, false],
  ["being confirmed", { kind: "confirming", ...OWED, can_continue: false }, true],
  ["partly paid", { kind: "part" }, true],
  ["paid", { kind: "paid", paid_at: null, reference: null }, false],
] as const)(
  "is read again by its script, or by hand without scripts, while it is %s: %j %s",
  (_, state, isRead) => {
    const html = render({ state })
    expect(html.includes('data-refresh="true"')).toBe(isRead)
    expect(html.includes(TEXTS.en.reload)).toBe(isRead)
  }
)

it.each(["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>", "'&amp;"])(
  "shows %s as text, as a shop's name and as a reference",
  (hostile) => {
    const reference = hostile
    const html = render({ shop: hostile, state: { kind: "paid", paid_at: null, reference } })
    expect(html).not.toContain(hostile)
    expect(html.match(/<(script|style|img|b)\b/g)).toEqual(["<style", "<script"])
    // The title, the header and the reference.
    const escaped = [...hostile].map((character) =>
      /[&<>"']/.test(character) ? `&#${String(character.codePointAt(0))};` : character
    )
    expect(html.split(escaped.join(""))).toHaveLength(4)
  }
)

describe("items", () => {
  const tea = { title: "Tea", quantity: "2", amount: "30.02", currency_code: "usd" }

  it("are listed with their sums, under what is owed", () => {
    const words = wordsOf(
      render({ items: [tea, { ...tea, title: "Cup", quantity: "1", amount: "1005.00" }] })
    )
    expect(words).toMatch(/Pay with crypto .*2 × Tea 30\.02 USD 1 × Cup 1,005\.00 USD/)
    expect(wordsOf(render({ items: [tea], language: "ar" }))).toContain("2 × Tea 30.02 USD")
  })

  it("are twenty at most, each shortened and shown as text, and the page stays small", () => {
    const title = `<b>${"شاي & ".repeat(100)}`
    const html = render({ items: Array.from({ length: 23 }, () => ({ ...tea, title })) })
    expect(html.split("&#60;b&#62;")).toHaveLength(21)
    expect(html).not.toContain("<b>")
    expect(wordsOf(html)).toContain("and 3 more")
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(15_000)
    const twenty = render({ items: Array.from({ length: 20 }, () => tea) })
    expect(wordsOf(twenty)).not.toContain("more")
  })
})

it.each(STATES)("leads back to the shop, where that is known, when nothing can be paid now: %j", (state) => {
  const shop_url = 'https://shop.example/?"><b>'
  const link = `<a href="https://shop.example/?&#34;&#62;&#60;b&#62;">${TEXTS.en.shop}</a>`
  const html = render({ state, shop_url })
  expect(html.includes(link)).toBe(!html.includes("<button>"))
  expect(render({ state })).not.toContain(TEXTS.en.shop)
})

it("leads to the other language", () => {
  expect(render()).toContain('<a href="?lang=ar" lang="ar" hreflang="ar">العربية</a>')
  expect(render({ language: "ar" })).toContain('<a href="?lang=en" lang="en" hreflang="en">English</a>')
})

it("lets only its own style and script run, by their digests", () => {
  const html = render()
  const digest = (tag: string): string => {
    const [, content = ""] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(html) ?? []
    return createHash("sha256").update(content).digest("base64")
  }
  expect(PAGE_HEADERS).toEqual({
    "Cache-Control": "no-store",
    "X-Robots-Tag": "noindex",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Content-Security-Policy": [
      "default-src 'none'",
      `style-src 'sha256-${digest("style")}'`,
      `script-src 'sha256-${digest("script")}'`,
      "connect-src 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
  })
  expect(html).not.toMatch(/\sstyle=|\son\w+=/)
})
