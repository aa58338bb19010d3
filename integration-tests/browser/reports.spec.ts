import type { Locator, Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import type { Settlements } from "../../src/http-contract"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults, gapAtRight, hiddenWidth, saved } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"

/** A day before today, by the clock of the browser, which is this machine's. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toLocaleDateString("en-CA")
}

const themes = ["light", "dark"] as const

describeAdmin("the balances", ({ admin, payments, store }) => {
  // Until then the gateway holds nothing.
  beforeAll(async () => {
    await payments.paid()
  })

  it("shows every digit that means something, and no zeros that mean nothing", async () => {
    const balances = [
      { asset: "USDT", value: "9007199254740993.00000000000001", locked: "0.00000000000000" },
      { asset: "AED", value: "1250.50000000000000", locked: "0.10000000000000" },
    ]
    const page = await admin.visit("/orders")
    await page.route("**/crypto-payments/balances?**", async (route) => {
      await route.fulfill({ json: { provider_id: "pp_crypto_default", balances } })
    })
    await page.goto(page.url().replace("/orders", "/crypto-payments/balances"))
    await page.locator("tbody tr").first().waitFor()
    expect(await page.locator("tbody tr").allInnerTexts()).toEqual([
      expect.stringMatching(/USDT\s+9,007,199,254,740,993\.00000000000001\s+0/),
      expect.stringMatching(/AED\s+1,250\.5\s+0\.1/),
    ])
  })

  it("shows what the gateway says", async () => {
    const page = await admin.visit("/crypto-payments/balances")
    await page.locator("tbody tr", { hasText: "USD" }).waitFor()
  })

  it("reads again what the gateway says, with Refresh", async () => {
    const page = await admin.visit("/crypto-payments/balances")
    const balance = page.locator("tbody tr", { hasText: "USD" }).locator("td").nth(1)
    const before = await balance.innerText()
    await payments.paid()
    expect(await balance.innerText()).toBe(before)
    await page.getByRole("button", { name: "Refresh" }).click()
    await waitUntil(
      async () => await balance.innerText(),
      (after) => after !== before
    )
  })

  it("says that the gateway could not be reached, and reads again", async () => {
    await store.gateway.fail({ endpoint: "balances", kind: "reset", times: 100 })
    const page = await admin.visit("/crypto-payments/balances")
    await page.getByText("The gateway could not be reached, or it answered").waitFor()
    await store.gateway.recover()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.locator("tbody tr").first().waitFor()
  })

  it("leads to the settings while the provider is not set up", async () => {
    const page = await admin.visit("/orders")
    await page.route("**/crypto-payments/balances?**", async (route) => {
      await route.fulfill({ status: 400, json: { type: "invalid_data", code: "not_configured" } })
    })
    await page.goto(page.url().replace("/orders", "/crypto-payments/balances"))
    await page.getByRole("link", { name: en.problems.not_configured }).click()
    await page.waitForURL(/\/settings\/crypto-payments\?provider_id=pp_crypto_default$/)
  })

  it("speaks Arabic", async () => {
    const page = await admin.visit("/crypto-payments/balances", { language: "ar" })
    await page.getByRole("heading", { name: "الأرصدة" }).waitFor()
    await page.locator("tbody tr").first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each(themes)("has no serious accessibility fault, %s", async (theme) => {
    const page = await admin.visit("/crypto-payments/balances", { theme })
    await page.locator("tbody tr").first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})

describeAdmin("the settlements", ({ admin, payments, store }) => {
  let inUsd: MadePayment
  beforeAll(async () => {
    inUsd = await payments.paid()
    await payments.paid({ currency: "aed" })
  })

  const total = (page: Page, currency: string) =>
    page.locator("tbody tr", { hasText: "Total" }).filter({ hasText: currency })

  it("shows gross, fees and net that add up to the last digit, in each row and in the total", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=aed")
    await total(page, "AED").waitFor()
    const rows = page.locator("tbody tr", { hasText: "AED" }).filter({ hasNotText: "Total" })
    // Refunds follow, and what is not captured: another specification may have left such a payment.
    const shown = (await rows.or(total(page, "AED")).allInnerTexts()).map((row) =>
      // "2,999.735 AED" in units of the fourteenth decimal.
      [...row.matchAll(/(-?[\d,]+)\.(\d+) AED/g)]
        .slice(0, 3)
        .map(([, whole = "", decimals = ""]) => BigInt(whole.replaceAll(",", "") + decimals.padEnd(14, "0")))
    )
    // 1 % of 73.50 AED has three decimals.
    expect(shown.map((figures) => figures.length)).toEqual(shown.map(() => 3))
    expect(shown.length).toBeGreaterThan(1)
    for (const [gross = 0n, fees = 0n, net = 0n] of shown) {
      expect(fees + net).toBe(gross)
    }
  })

  it("shows one currency when it is chosen, and keeps it in the address", async () => {
    const page = await admin.visit("/crypto-payments/settlements")
    await total(page, "USD").waitFor()
    await page.getByLabel("Currency").click()
    await page.getByRole("option", { name: "AED" }).click()
    await total(page, "USD").waitFor({ state: "detached" })
    await page.reload()
    await total(page, "AED").waitFor()
    expect(new URL(page.url()).searchParams.get("currency")).toBe("aed")
  })

  it("draws a bar for each month, with its figure for those who do not see it", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=usd")
    await page.getByLabel("Group by").click()
    await page.getByRole("option", { name: "Month" }).click()
    const bars = page.getByRole("figure", { name: "Net per month, USD" }).getByRole("listitem")
    await bars.first().waitFor()
    expect(await bars.count()).toBeGreaterThanOrEqual(12)
    expect(await bars.last().innerText()).toMatch(/^\w{3} 1, \d{4}: [\d,.]+ USD$/)
  })

  it("shows the month that is chosen, from its first day to its last", async () => {
    const page = await admin.visit("/crypto-payments/settlements")
    const month = page.getByLabel("Month", { exact: true })
    await month.click()
    const today = new Date()
    const end = new Date(today.getFullYear(), today.getMonth(), 0)
    const name = end.toLocaleDateString("en-US", { month: "long", year: "numeric" })
    await page.getByRole("option", { name, exact: true }).click()
    const lastDay = end.toLocaleDateString("en-CA")
    await page.waitForURL(({ searchParams }) => searchParams.get("to") === lastDay)
    expect(new URL(page.url()).searchParams.get("from")).toBe(`${lastDay.slice(0, 8)}01`)
    await month.getByText(name).waitFor()
  })

  it("shows the days that are chosen, the last one too, and keeps them in the address", async () => {
    const { id } = await payments.paid()
    await store
      .knex("crypto_payment_request")
      .where({ id })
      .update({ paid_at: new Date("2021-03-05T12:00:00Z") })
    const page = await admin.visit("/crypto-payments/settlements")
    await page.getByLabel("From", { exact: true }).fill("2021-03-05")
    await page.getByLabel("Until", { exact: true }).fill("2021-03-05")
    const days = page.locator("tbody tr", { hasText: "Mar 5, 2021" })
    // What was asked before stays on the page until the answer is there: the day and its total alone are the answer.
    await days.waitFor()
    await page.locator("tbody tr").nth(2).waitFor({ state: "detached" })
    await total(page, "20.01 USD").waitFor()
    await page.reload()
    await days.waitFor()
    expect(await page.locator("tbody tr").count()).toBe(2)
    await page.getByLabel("Until", { exact: true }).fill("2021-03-06")
    await page.getByLabel("From", { exact: true }).fill("2021-03-06")
    await page.getByText("Nothing was paid in this period").waitFor()
  })

  it("keeps both days when the second is chosen before a slow browser has drawn the first", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2021-03-05&to=2021-03-05")
    await page.getByText("Nothing was paid in this period").or(page.locator("tbody tr").first()).waitFor()
    await (await page.context().newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: 20 })
    await page.getByLabel("Until", { exact: true }).fill("2021-03-08")
    await page.getByLabel("From", { exact: true }).fill("2021-03-07")
    await page.waitForURL((url) => url.searchParams.get("from") === "2021-03-07")
    expect(new URL(page.url()).searchParams.get("to")).toBe("2021-03-08")
  })

  it("says in Arabic that the first day comes after the last", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2021-03-06&to=2021-03-04", {
      language: "ar",
    })
    await page.getByText(ar.problems.wrong_range).waitFor()
  })

  it("asks for a range that is typed digit by digit once its year is complete", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2021-03-05&to=2021-03-08")
    const asked: string[] = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname.endsWith("/crypto-payments/settlements") && searchParams.has("time_zone")) {
        asked.push(searchParams.get("from") ?? "")
      }
    })
    await page.getByLabel("From", { exact: true }).focus()
    await page.keyboard.type("03062021")
    await page.waitForURL(/from=2021-03-06/)
    expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2021-03-06")
    await page.getByText("Nothing was paid in this period").waitFor()
    expect(asked.filter((day) => day < "2000")).toEqual([])
  })

  it("says so when nothing was paid in that time", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2020-01-01&to=2020-01-31")
    await page.getByText("Nothing was paid in this period").waitFor()
  })

  it("draws bars of at most 48 pixels, below each other for each currency, and none for one period", async () => {
    for (const [currency, count] of [
      ["usd", 2],
      ["aed", 1],
    ] as const) {
      for (let day = 1; day <= count; day++) {
        const { id } = await payments.paid({ currency })
        await store
          .knex("crypto_payment_request")
          .where({ id })
          .update({ paid_at: `2021-09-0${String(day)}T12:00:00Z` })
      }
    }
    const page = await admin.visit("/crypto-payments/settlements?from=2021-09-01&to=2021-09-02")
    const figures = page.getByRole("figure")
    await figures.nth(1).waitFor()
    const boxes = await figures
      .locator("li span[style]")
      .evaluateAll((bars) =>
        bars.map((bar) => bar.getBoundingClientRect()).map(({ left, width }) => ({ left, width }))
      )
    expect(boxes.map(({ width }) => width)).toEqual([48, 48, 48, 48])
    expect(boxes.slice(0, 2).map(({ left }) => left)).toEqual(boxes.slice(2).map(({ left }) => left))
    const row = page.locator("tbody tr", { hasText: "Sep 1, 2021" }).filter({ hasNotText: "Total" })
    const currencies = row.locator('[data-name="Currency"]')
    expect((await currencies.allInnerTexts()).sort()).toEqual(["AED", "USD"])
    await page.goto(page.url().replace("to=2021-09-02", "to=2021-09-01"))
    await row.nth(1).waitFor()
    expect(await figures.count()).toBe(0)
  })

  it("begins with the totals, above the plot", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=usd")
    const top = async (part: Locator) => (await part.boundingBox())?.y ?? 0
    await page.getByRole("figure").waitFor()
    expect(await top(total(page, "USD"))).toBeLessThan(await top(page.getByRole("figure")))
  })

  it("draws a range to its last day, and has a scale", async () => {
    const { paid_at } = await store.knex("crypto_payment_request").where({ id: inUsd.id }).first("paid_at")
    const lastDay = (paid_at as Date).toLocaleDateString("en-CA")
    const ends = (paid_at as Date).toLocaleDateString("en-US", { dateStyle: "medium" })
    const range = `period=week&from=${daysAgo(200)}&to=${lastDay}`
    const page = await admin.visit(`/crypto-payments/settlements?currency=usd&${range}`)
    const plot = page.getByRole("figure", { name: "Net per week, USD" })
    await plot.getByText(ends, { exact: true }).waitFor()
    // Money was paid on that day.
    expect(await plot.getByRole("listitem").last().innerText()).not.toMatch(/: 0\.00 USD$/)
    await plot.getByText(/^Highest: [\d,.]+ USD$/).waitFor()
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "shows every figure on a narrow screen without drawing it aside: %s",
    async (language, words) => {
      const page = await admin.visit("/crypto-payments/settlements", { language, width: 390 })
      const tables = page.getByRole("region", {
        name: new RegExp(`^(${words.settlements.totals}|${words.nav.settlements})$`),
      })
      await tables.nth(1).waitFor()
      for (const table of await tables.all()) {
        expect(await hiddenWidth(table)).toBe(0)
        const row = table.getByRole("row").filter({ has: page.getByRole("cell") })
        const { gross, fees } = words.settlements
        for (const name of [
          words.settlements.payments,
          gross,
          fees,
          words.common.net,
          words.common.refunded,
        ]) {
          const figure = row.first().locator(`[data-name="${name}"]`)
          await figure.waitFor()
          expect([
            name,
            await figure.evaluate(
              (cell) => cell.ownerDocument.defaultView?.getComputedStyle(cell, "::before").content
            ),
          ]).toEqual([name, `"${name}"`])
        }
      }
      for (const width of [390, 640, 768, 899]) {
        await page.setViewportSize({ width, height: 1000 })
        for (const area of [page.locator("main"), ...(await tables.all())]) {
          expect([width, await hiddenWidth(area)]).toEqual([width, 0])
        }
        const month = await page.getByLabel(words.settlements.periods.month, { exact: true }).boundingBox()
        const text = page.getByLabel(words.settlements.periods.month, { exact: true }).locator("span").first()
        expect((await text.boundingBox())?.height ?? NaN).toBeLessThan(month?.height ?? NaN)
      }
    }
  )

  it.each(["day", "month"])(
    "shows sums of tens of thousands whole at every width, by the %s",
    async (period) => {
      const page = await admin.visit("/orders")
      await page.route("**/admin/crypto-payments/settlements?**", async (route) => {
        const report = (await (await route.fetch()).json()) as Settlements
        const sums = { gross: "48123.45", fees: "481.2345", net: "47642.2155", refunded: "12345.67" }
        const settlements = report.settlements.map((row) => ({ ...row, ...sums }))
        await route.fulfill({ json: { ...report, settlements } })
      })
      await page.goto(page.url().replace("/orders", `/crypto-payments/settlements?period=${period}`))
      const table = page.getByRole("region", { name: "Settlements", exact: true })
      await table.getByText("48,123.45 USD").first().waitFor()
      for (const width of [900, 960, 1024, 1099, 1100, 1280]) {
        await page.setViewportSize({ width, height: 1000 })
        expect([width, await hiddenWidth(table)]).toEqual([width, 0])
      }
    }
  )

  it("aligns figures at the right in Arabic too, so that digits line up @deep", async () => {
    const page = await admin.visit("/crypto-payments/settlements", { language: "ar" })
    const cells = page.locator(`table:has(tr:nth-child(2)) [data-name="${ar.common.net}"]`)
    await cells.first().waitFor()
    const rightEdges = await cells
      .locator("bdi")
      .evaluateAll((figures) => figures.map((figure) => Math.round(figure.getBoundingClientRect().right)))
    expect(new Set(rightEdges.slice(0, 2)).size).toBe(1)
    expect(await gapAtRight(cells.first())).toBe(await gapAtRight(cells.nth(1)))
  })

  it("tells apart what is paid and not captured, and leads to it", async () => {
    await payments.mismatched({ amount: "5.00" })
    const page = await admin.visit("/crypto-payments/settlements?currency=usd")
    await total(page, "USD").getByRole("cell").last().getByRole("link").click()
    await page.waitForURL((url) => url.searchParams.get("state") === '["paid"]')
    await page.getByRole("cell", { name: "Received, not booked" }).first().waitFor()
  })

  it("leads from each figure to the payments that it is made of", async () => {
    const change = async (id: string, columns: Record<string, unknown>) => {
      await store.knex("crypto_payment_request").where({ id }).update(columns)
    }
    // Asked for in USD; the middle of the days, for every clock that a browser may have.
    const inAed = await payments.mismatched({ currencySymbol: "AED" })
    await change(inAed.id, { paid_at: "2021-06-01T12:00:00Z" })
    const withoutCoin = await payments.paid()
    await change(withoutCoin.id, { paid_at: "2021-06-01T12:00:00Z", payment_currency: null })
    const refunded = await payments.paid()
    const { crypto_payment: named } = (
      await store.asAdmin.post(`/crypto-payments/${refunded.id}/refunds`, {
        amount: "2.00",
        reference: "tx-figures",
      })
    ).data
    expect(named.refunded_amount).toBe("2.00")
    await store
      .knex("crypto_payment_refund")
      .where({ reference: "tx-figures" })
      .update({ created_at: "2021-06-02T12:00:00Z" })

    const page = await admin.visit("/crypto-payments/settlements?from=2021-06-01&to=2021-06-02")
    const row = (words: string) => page.locator("tbody tr", { hasText: words }).filter({ hasText: "2021" })
    const opened = async (link: Locator): Promise<string[]> => {
      await link.click()
      await page.locator("tbody tr a[href^='/app/crypto-payments/cpreq_']").first().waitFor()
      const ids = await page
        .locator("tbody tr a[href^='/app/crypto-payments/cpreq_']")
        .evaluateAll((links) => links.map((element) => element.getAttribute("href")?.split("/").at(-1) ?? ""))
      await page.goBack()
      await page.getByRole("figure").first().waitFor()
      return ids
    }
    await row("AED").waitFor()
    expect(await row("Jun").count()).toBe(3)
    expect(await opened(row("AED").getByRole("link"))).toEqual([inAed.id])
    expect(await opened(row("–").getByRole("link"))).toEqual([withoutCoin.id])
    expect(await opened(row("Jun 2, 2021").getByRole("link"))).toEqual([refunded.id])
    const ofAll = total(page, "USD").getByRole("link")
    expect(await opened(ofAll.first())).toEqual([withoutCoin.id])
    expect(await opened(ofAll.last())).toEqual([refunded.id])
  })

  it("reads the days below the plot from right to left in Arabic", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=usd", { language: "ar" })
    const day = page.getByRole("figure").getByText(/^\d+ \p{Script=Arabic}+ \d{4}$/u)
    await day.first().waitFor()
    expect(
      await day.evaluateAll((days) =>
        days.map((element) => element.ownerDocument.defaultView?.getComputedStyle(element).direction)
      )
    ).toEqual(["rtl", "rtl"])
  })

  it("saves what it shows as CSV, named by its first and its last day", async () => {
    const named = await admin.visit("/crypto-payments/settlements?from=2021-03-05&to=2021-03-08")
    const download = named.waitForEvent("download")
    await named.getByRole("button", { name: "Totals (CSV)" }).click()
    expect((await download).suggestedFilename()).toBe("settlements-day-2021-03-05-to-2021-03-08.csv")

    const page = await admin.visit("/crypto-payments/settlements?currency=aed")
    await total(page, "AED").waitFor()
    const csv = await saved(page, "Totals (CSV)")
    expect(csv.startsWith("\uFEFFperiod_start,")).toBe(true)
    const lines = csv.trim().split("\r\n")
    expect(lines.slice(1).every((line) => line.includes("aed") || line.includes("AED"))).toBe(true)
    expect(lines.length).toBeGreaterThan(1)
  })

  it("saves the payments of its days and its currency, with the same sum", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=aed")
    await total(page, "AED").waitFor()
    const [names = "", ...lines] = (await saved(page, "Payments (CSV)")).trim().split("\r\n")
    const gross = names.split(",").indexOf("gross")
    const cents = lines.map((line) => Math.round(Number(line.split(",")[gross]) * 100))
    const sum = cents.reduce((all, one) => all + one, 0) / 100
    expect(sum).toBeGreaterThan(0)
    const shown = sum.toLocaleString("en", { minimumFractionDigits: 2 })
    await total(page, "AED").getByText(`${shown} AED`, { exact: true }).waitFor()
  })

  it("speaks Arabic", async () => {
    const page = await admin.visit("/crypto-payments/settlements", { language: "ar" })
    await page.locator("tbody tr", { hasText: "المجموع" }).first().waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each(themes)("has no serious accessibility fault, %s", async (theme) => {
    const page = await admin.visit("/crypto-payments/settlements", { theme })
    await total(page, "USD").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
