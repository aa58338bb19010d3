import type { Locator, Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults, gapAtRight, hiddenWidth, saved } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"

/** Those rows of the table that hold this text. */
const rows = (page: Page, text: string) => page.locator("tbody tr", { hasText: text })

/** Waits until the table has one row, and that holds this text. */
const untilOnly = async (page: Page, text: string) => {
  await rows(page, text).first().waitFor()
  await waitUntil(
    async () => await page.locator("tbody tr").allInnerTexts(),
    (shown) => shown.length === 1 && (shown[0] ?? "").includes(text)
  )
}

describeAdmin("the list of payments", ({ admin, payments, store }) => {
  let paid: MadePayment
  let open: MadePayment

  beforeAll(async () => {
    paid = await payments.paid({ email: "list@paid.example.test", coin: "BTC" })
    open = await payments.open({ email: "list@open.example.test", currency: "aed" })
    // The customer has two payments, so that a filter can leave out one of them.
    await payments.open({ email: "list@paid.example.test" })
  })

  /** More rows than a page has, as a busy shop would have them: copies of one whose story is over. */
  const withManyRows = async (use: () => Promise<void>) => {
    const [row] = await store.knex<Record<string, unknown>>("crypto_payment_request").where({ id: open.id })
    const copies = Array.from({ length: 25 }, (_, index) => ({
      ...row,
      id: `cpreq_copy_${String(index)}`,
      payment_request_id: `copy-${String(index)}`,
      session_ids: [],
      state: "closed",
      next_check_at: null,
    }))
    await store.knex("crypto_payment_request").insert(copies)
    try {
      await use()
    } finally {
      await store.knex("crypto_payment_request").where("id", "like", "cpreq_copy_%").delete()
    }
  }

  /** Finds a payment by its customer. */
  const search = async (page: Page, text: string) => {
    await page.getByPlaceholder("Search").fill(text)
    await page.waitForURL((url) => url.searchParams.get("q") === text)
  }

  /** Adds a filter and chooses one of its values. */
  const filter = async (page: Page, name: string, value: string) => {
    await rows(page, "Captured").first().waitFor()
    await page.locator("button[aria-haspopup='menu']:has(svg)").nth(-2).click()
    await page.getByRole("menuitem", { name, exact: true }).click()
    await page.getByRole("dialog").getByText(value, { exact: true }).click()
  }

  it("shows a captured payment with its coin, fee, net and order", async () => {
    const page = await admin.visit(`/crypto-payments?q=${paid.paymentRequestId}`)
    const row = rows(page, `#${String(paid.displayId)}`)
    await row.waitFor()
    expect(await row.innerText()).toMatch(/Captured[^]*20\.01 USD[^]*BTC[^]*19\.8099 USD[^]*0\.2001 USD/)
  })

  it("shows fee and net in the currency that came, which need not be the one asked for", async () => {
    const { paymentRequestId } = await payments.mismatched({ currencySymbol: "AED" })
    const page = await admin.visit(`/crypto-payments?q=${paymentRequestId}`)
    await untilOnly(page, "20.01 USD")
    expect(await page.locator("tbody tr").innerText()).toMatch(/19\.8099 AED[^]*0\.2001 AED/)
  })

  it("finds a payment by the customer's e-mail, and keeps the search in the address", async () => {
    const page = await admin.visit("/crypto-payments")
    await search(page, "list@open.example.test")
    await untilOnly(page, "73.50 AED")
    await page.reload()
    await untilOnly(page, "73.50 AED")
  })

  it("saves the payments that it shows, of all pages, with the times of the browser's time zone", async () => {
    await withManyRows(async () => {
      const page = await admin.visit("/crypto-payments?q=list@open.example.test")
      await rows(page, "73.50 AED").nth(19).waitFor()
      const asked = page.waitForRequest((request) => request.url().includes("/crypto-payments/export"))
      const lines = (await saved(page, "Download CSV")).trim().split("\r\n")
      expect(lines.length).toBe(1 + 26)
      expect(lines.filter((line) => line.includes("73.50")).length).toBe(26)
      const zone = await page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone")
      expect(new URL((await asked).url()).searchParams.get("time_zone")).toBe(zone)
    })
  })

  it("names the customer, with a link", async () => {
    const [cart] = await store.knex<{ customer_id: string }>("cart").where("id", open.cartId)
    await store
      .knex("customer")
      .where("id", cart?.customer_id ?? "")
      .update({ first_name: "Salma", last_name: "Nasser" })
    const page = await admin.visit("/crypto-payments?q=list@open.example.test")
    await rows(page, "list@open.example.test").getByRole("link", { name: "Salma Nasser" }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/customers/${String(cart?.customer_id)}`))
  })

  it("shows what came where it differs from what was asked for", async () => {
    const { id } = await payments.mismatched()
    const page = await admin.visit(`/crypto-payments?q=${id}`)
    await rows(page, "20.01 USD").getByText("5.00 USD received").waitFor()
  })

  it("shows a coin's amount to its last digit, below the amount", async () => {
    await store
      .knex("crypto_payment_request")
      .where({ id: paid.id })
      .update({ payment_amount: "0.00123456789000" })
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`)
    await rows(page, "Captured").getByText("0.00123456789 BTC", { exact: true }).waitFor()
  })

  it("shows a coin's amount whole on a phone", async () => {
    await store
      .knex("crypto_payment_request")
      .where({ id: paid.id })
      .update({ payment_amount: "1234.03063308373043" })
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`, { width: 360 })
    const cell = page.locator("tbody div.truncate", { hasText: "1,234.03063308373043 BTC" }).first()
    await cell.waitFor()
    expect(await hiddenWidth(cell)).toBe(0)
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "aligns money at the right, in the head and in all rows, so that digits line up: %s",
    async (language, words) => {
      const page = await admin.visit("/crypto-payments?q=list@paid.example.test", { language })
      await rows(page, "list@paid.example.test").nth(1).waitFor()
      const place = (await page.getByRole("columnheader").allInnerTexts()).indexOf(words.common.amount)
      const cells = page.locator(`table :is(th, td):nth-child(${String(place + 1)})`)
      const figures = cells.locator("bdi")
      const rightEdges = await figures.evaluateAll((shown) =>
        shown.map((figure) => Math.round(figure.getBoundingClientRect().right))
      )
      expect(rightEdges.length).toBeGreaterThan(1)
      expect(new Set(rightEdges).size).toBe(1)
      expect(await gapAtRight(cells.nth(1))).toBe(await gapAtRight(cells.first()))
    }
  )

  it.each([
    {
      rule: "calls a link closed, and not failed, that its payer gave up before the gateway answered",
      columns: { state: "closed", payment_request_id: null, next_check_at: null },
      before: "Link failed",
      reason: "deleted_before_answer",
      after: "Closed",
    },
    {
      rule: "says of an order that was cancelled because nobody paid that, and calls nothing replaced",
      columns: { state: "superseded" },
      before: "Not offered any more",
      reason: "unpaid_order_canceled",
      after: "Not paid in time",
    },
  ])("$rule", async ({ columns, before, reason, after }) => {
    const { id } = await payments.open({ email: "list@ended.example.test" })
    await store.knex("crypto_payment_request").where({ id }).update(columns)
    const page = await admin.visit(`/crypto-payments?q=${id}`)
    await rows(page, before).waitFor()
    const detail = { reason }
    await store
      .knex("crypto_payment_activity")
      .insert({ id: `cpact_${reason}`, request_id: id, type: "closed", detail })
    await page.reload()
    await rows(page, after).waitFor()
    expect(await rows(page, before).count()).toBe(0)
    await page.goto(page.url().replace(/\?.*/, `/${id}`))
    await page.locator("main").getByText(after, { exact: true }).waitFor()
    expect(await page.getByText(/Replaced|Link failed/).count()).toBe(0)
  })

  it("finds a payment by an amount, a part of the reference and the number as people write it", async () => {
    await store.knex("crypto_payment_request").where({ id: paid.id }).update({ ref_id: "REF-desk-4711-X" })
    const page = await admin.visit("/crypto-payments")
    const number = String(paid.displayId)
    // Each has other rows than the one before, whose rows stay until the answer is there.
    await search(page, `order ${number}`)
    await untilOnly(page, `#${number}`)
    await search(page, "٧٣٫٥٠")
    await rows(page, "73.50 AED").first().waitFor()
    await rows(page, "20.01 USD").first().waitFor({ state: "detached" })
    await search(page, "desk-4711")
    await untilOnly(page, `#${number}`)
  })

  it("says what all rows of the filter come to, not only those of the page", async () => {
    await withManyRows(async () => {
      const page = await admin.visit(`/crypto-payments?currency="aed"&state=["closed"]`)
      const totals = page.getByLabel("Totals of all rows that match")
      await totals.getByText("25 payments").waitFor()
      await totals.getByText("1,837.50 AED requested · 0.00 AED received").waitFor()
    })
  })

  it("filters by coin and by the day of payment", async () => {
    const page = await admin.visit("/crypto-payments?q=list@paid.example.test")
    await filter(page, "Coin", "BTC")
    await page.waitForURL((url) => url.searchParams.get("coin") === '["BTC"]')
    await untilOnly(page, "Captured")
    await page.goto(page.url().replace(/\?.*/, "?q=list@paid.example.test&paid_at=null"))
    await page.getByRole("dialog").getByText("Today").click()
    await page.waitForURL((url) => url.searchParams.get("paid_at")?.includes("$gte") ?? false)
    await untilOnly(page, "Captured")
  })

  it("has no empty line between its head and its rows", async () => {
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`)
    await rows(page, "Captured").waitFor()
    const gap = await page.evaluate<number>(
      "document.querySelector('table').getBoundingClientRect().top -" +
        " document.querySelector('main h2').closest('.px-6').getBoundingClientRect().bottom"
    )
    expect(gap).toBeLessThan(5)
  })

  it("calls a link that could not be made failed, not closed", async () => {
    await store.gateway.fail({ endpoint: "create", kind: "status", status: 500, times: 10 })
    const cartId = await store.shopper.cart({ email: "list@failed.example.test" })
    await store.shopper.openSession(await store.shopper.collection(cartId))
    await store.gateway.recover()
    const page = await admin.visit(`/crypto-payments?q=${cartId}`)
    await rows(page, "Link failed").waitFor()
    expect(await rows(page, "Closed").count()).toBe(0)
  })

  it.each([390, 640, 768])(
    "gives its search, filters and file a line of their own at %s pixels",
    async (width) => {
      const page = await admin.visit(`/crypto-payments?q=${paid.id}`, { width })
      await rows(page, "Captured").waitFor()
      const box = async (part: Locator) => (await part.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
      const heading = await box(page.getByRole("heading", { level: 2, name: "Crypto payments" }))
      const menus = page.locator("button[aria-haspopup='menu']:has(svg)")
      const controls = [menus.nth(-2), menus.last(), page.getByPlaceholder("Search")]
      for (const control of [...controls, page.getByRole("button", { name: "Download CSV" })]) {
        const { y, width: wide, height } = await box(control)
        expect(y).toBeGreaterThanOrEqual(heading.y + heading.height)
        expect([wide >= 28, height]).toEqual([true, 28])
      }
      expect(heading.height).toBeLessThan(32)
    }
  )

  it("shows all columns at 1280 pixels and what matters on a phone, without drawing it aside", async () => {
    const all = ["Captured", "20.01 USD", "BTC", "0.2001 USD", "19.8099 USD", "list@paid.example.test"]
    const few = ["Captured", "20.01 USD", "list@paid.example.test", `#${String(paid.displayId)}`]
    for (const [width, texts] of [
      [1280, all],
      ...[390, 640, 768, 899, 900, 1024, 1100].map((narrow) => [narrow, few] as const),
    ] as const) {
      const page = await admin.visit(`/crypto-payments?q=${paid.id}`, { width })
      for (const text of texts) {
        await rows(page, "Captured").getByText(text).first().waitFor()
      }
      const hidden = await page
        .locator("div:has(> table)")
        .last()
        .evaluate((shown) => shown.scrollWidth - shown.clientWidth)
      expect([width, hidden]).toEqual([width, 0])
    }
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "shows when each was paid at 1280 pixels also next to the widest case: %s",
    async (language, words) => {
      await payments.mismatched({ currencySymbol: "AED" })
      await payments.orphaned()
      const page = await admin.visit("/crypto-payments", { width: 1280, language })
      await rows(page, words.attention.reasons.orphan_paid.title).first().waitFor()
      await page.getByRole("columnheader", { name: words.list.filters.paid_at }).waitFor()
      expect(await hiddenWidth(page.locator("div:has(> table)").last())).toBe(0)
      // The longest name of a case, on a phone.
      const { id } = await payments.mismatched()
      await store
        .knex("crypto_payment_request")
        .where({ id })
        .update({ attention_reason: "paid_on_canceled" })
      await page.setViewportSize({ width: 390, height: 800 })
      await page.goto(page.url().replace(/\?.*|$/, `?q=${id}`))
      await rows(page, words.attention.reasons.paid_on_canceled.title).waitFor()
      expect(await hiddenWidth(page.locator("div:has(> table)").last())).toBe(0)
    }
  )

  it("finds a payment by its order's number", async () => {
    const page = await admin.visit("/crypto-payments")
    await search(page, `#${String(paid.displayId)}`)
    await untilOnly(page, `#${String(paid.displayId)}`)
  })

  it("says so when nothing matches", async () => {
    const page = await admin.visit("/crypto-payments?q=nobody@example.test")
    await page.getByText("Nothing matches").waitFor()
  })

  it("filters by status through the filter menu, and keeps the filter in the address", async () => {
    const page = await admin.visit("/crypto-payments?q=list@paid.example.test")
    await filter(page, "Status", "Awaiting payment")
    await page.waitForURL((url) => url.searchParams.get("state")?.includes("open") ?? false)
    await untilOnly(page, "Awaiting payment")
  })

  it("filters by the words that its rows say in place of a status", async () => {
    const page = await admin.visit("/crypto-payments?q=list@paid.example.test")
    await filter(page, "Status", `${en.state.captured} / ${en.list.partlyRefunded}`)
    await untilOnly(page, "Captured")
  })

  it("filters by what needs attention through the filter menu", async () => {
    const page = await admin.visit("/crypto-payments?q=list@paid.example.test")
    await filter(page, "Attention", "Needs attention")
    await page.getByText("Nothing matches").waitFor()
  })

  it("goes on showing payments while a filter is not chosen yet, and filters by date", async () => {
    // What the filter menu makes of the address before anything is chosen.
    const page = await admin.visit(`/crypto-payments?q=${paid.id}&created_at=null`)
    await rows(page, "Captured").waitFor()
    await page.getByRole("dialog").getByText("Today").click()
    await page.waitForURL((url) => url.searchParams.get("created_at")?.includes("$gte") ?? false)
    await untilOnly(page, "Captured")
  })

  it("counts the last day of a range of dates whole", async () => {
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`)
    await rows(page, "Captured").waitFor()
    const { paid_at: paidAt } = await store
      .knex("crypto_payment_request")
      .where({ id: paid.id })
      .first("paid_at")
    // As core's filter writes a range of one day: from its first moment to its first moment.
    const day = await page.evaluate(
      (at) => new Date(new Date(at).setHours(0, 0, 0, 0)).toISOString(),
      new Date(paidAt).toISOString()
    )
    const range = encodeURIComponent(JSON.stringify({ $gte: day, $lte: day }))
    await page.goto(`${page.url()}&paid_at=${range}`)
    await untilOnly(page, "Captured")
  })

  it("filters by currency from the address", async () => {
    const page = await admin.visit(`/crypto-payments?currency="aed"`)
    await rows(page, "AED").first().waitFor()
    expect(await rows(page, "20.01 USD").count()).toBe(0)
  })

  it("sorts by amount", async () => {
    const page = await admin.visit("/crypto-payments?order=-amount")
    await rows(page, "AED").first().waitFor()
    const shown = await page.locator("tbody tr td:nth-child(2)").allInnerTexts()
    const amounts = shown.map((text) => Number.parseFloat(text))
    expect(amounts).toEqual(amounts.slice().sort((a, b) => b - a))
  })

  it("turns pages, and keeps the page in the address", async () => {
    await withManyRows(async () => {
      const page = await admin.visit("/crypto-payments")
      await page.getByRole("button", { name: "Next" }).click()
      await page.waitForURL((url) => url.searchParams.get("offset") === "20")
      await page.reload()
      await page.locator("tbody tr").first().waitFor()
      await page.getByText("2 of").waitFor()
    })
  })

  it("goes from a page that does not exist to the last one that does", async () => {
    const page = await admin.visit(`/crypto-payments?q=${open.id}&offset=400`)
    await rows(page, "73.50 AED").waitFor()
    expect(new URL(page.url()).searchParams.get("offset")).toBe("0")
  })

  it("opens a payment from its row", async () => {
    const page = await admin.visit(`/crypto-payments?q=${open.id}`)
    await rows(page, "73.50 AED").click()
    await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${open.id}`))
    await page.getByRole("heading", { name: "73.50 AED" }).waitFor()
  })

  it("speaks Arabic, from right to left", async () => {
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`, { language: "ar" })
    await rows(page, "محصَّل").waitFor()
    expect(await page.evaluate("getComputedStyle(document.querySelector('table')).direction")).toBe("rtl")
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("dims its rows until those of a search have come", async () => {
    const page = await admin.visit("/crypto-payments")
    await rows(page, "USD").first().waitFor()
    let release: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route("**/admin/crypto-payments?**", async (route) => {
      await held
      await route.continue()
    })
    const opacity = async () =>
      await page.evaluate("getComputedStyle(document.querySelector('tbody')).opacity")
    expect(await opacity()).toBe("1")
    await search(page, paid.id)
    await waitUntil(opacity, (shown) => shown === "0.5")
    release()
    await untilOnly(page, "Captured")
    expect(await opacity()).toBe("1")
  })

  it("says so when the API fails, and goes on when it is back", async () => {
    const page = await admin.visit("/orders")
    await page.route("**/admin/crypto-payments?**", async (route) => {
      await route.fulfill({
        status: 500,
        json: { type: "unknown_error", message: "An unknown error occurred." },
      })
    })
    await page.getByRole("link", { name: "Crypto payments" }).click()
    await page.getByText("This could not be loaded").waitFor()
    await page.unroute("**/admin/crypto-payments?**")
    await page.getByRole("button", { name: "Try again" }).click()
    await rows(page, "USD").first().waitFor()
  })

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s", async (theme) => {
    const page = await admin.visit(`/crypto-payments?q=${paid.id}`, { theme })
    await rows(page, "Captured").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
