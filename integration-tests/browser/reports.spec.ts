import { buffer } from "node:stream/consumers"
import type { Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"

/** Presses a button that saves a file. @returns what is in it */
async function saved(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: button }).click()
  // As text it would lose its byte order mark.
  return (await buffer(await (await download).createReadStream())).toString("utf8")
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
    await page.getByText("The gateway could not be reached.").waitFor()
    await store.gateway.recover()
    await page.getByRole("button", { name: "Try again" }).click()
    await page.locator("tbody tr").first().waitFor()
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
  beforeAll(async () => {
    await payments.paid()
    await payments.paid({ currency: "aed" })
  })

  const total = (page: Page, currency: string) =>
    page.locator("tbody tr", { hasText: "Total" }).filter({ hasText: currency })

  it("shows gross, fees and net that add up to the last digit, in each row and in the total", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=aed")
    await total(page, "AED").waitFor()
    const shown = (await page.locator("tbody tr").allInnerTexts()).map((row) =>
      // "2,999.735 AED" in units of the fourteenth decimal.
      [...row.matchAll(/(-?[\d,]+)\.(\d+) AED/g)].map(([, whole = "", decimals = ""]) =>
        BigInt(whole.replaceAll(",", "") + decimals.padEnd(14, "0"))
      )
    )
    // 1 % of 73.50 AED has three decimals.
    expect(shown.map((figures) => figures.length)).toEqual(shown.map(() => 4))
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
    await page.getByLabel("Period").click()
    await page.getByRole("option", { name: "Month" }).click()
    const bars = page.getByRole("figure", { name: "Net per month, USD" }).getByRole("listitem")
    await bars.first().waitFor()
    expect(await bars.count()).toBeGreaterThanOrEqual(12)
    expect(await bars.last().innerText()).toMatch(/^\d{4}-\d\d-01: [\d,.]+ USD$/)
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
    const days = page.locator("tbody tr", { hasText: "2021-03-05" })
    // What was asked before stays on the page until the answer is there: the day and its total alone are the answer.
    await days.waitFor()
    await page.locator("tbody tr").nth(2).waitFor({ state: "detached" })
    await total(page, "20.01 USD").waitFor()
    await page.reload()
    await days.waitFor()
    expect(await page.locator("tbody tr").count()).toBe(2)
    await page.getByLabel("Until", { exact: true }).fill("2021-03-06")
    await page.getByLabel("From", { exact: true }).fill("2021-03-06")
    await page.getByText("Nothing was paid in this time").waitFor()
  })

  it("keeps both days when the second is chosen before a slow browser has drawn the first", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2021-03-05&to=2021-03-05")
    await page.getByText("Nothing was paid in this time").or(page.locator("tbody tr").first()).waitFor()
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

  it("says so when nothing was paid in that time", async () => {
    const page = await admin.visit("/crypto-payments/settlements?from=2020-01-01&to=2020-01-31")
    await page.getByText("Nothing was paid in this time").waitFor()
  })

  it("saves what it shows as CSV", async () => {
    const page = await admin.visit("/crypto-payments/settlements?currency=aed")
    await total(page, "AED").waitFor()
    const csv = await saved(page, "Download CSV")
    expect(csv.startsWith("\uFEFFperiod_start,")).toBe(true)
    const lines = csv.trim().split("\r\n")
    expect(lines.slice(1).every((line) => line.includes("aed") || line.includes("AED"))).toBe(true)
    expect(lines.length).toBeGreaterThan(1)
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

describeAdmin("the reconciliation", ({ admin, payments, store }) => {
  it("finds a payment that the store was never told of, and has it settled", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit("/crypto-payments/reconciliation")
    await page.getByRole("button", { name: "Run now" }).click()
    await page.getByText("Compared with the gateway's list").waitFor()
    await page
      .locator("tbody tr", { hasText: payment.paymentRequestId })
      .getByText("Paid, not yet known here")
      .waitFor()
    await store.runSchedule()
    await payments.until(payment.paymentRequestId, { state: "captured" })
  })

  it("saves its findings as CSV", async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    const page = await admin.visit("/crypto-payments/reconciliation")
    await page.getByRole("button", { name: "Run now" }).click()
    await page.locator("tbody tr", { hasText: payment.paymentRequestId }).waitFor()
    expect(await saved(page, "Download CSV")).toContain(payment.paymentRequestId)
  })

  it("says that not the whole list was seen when the gateway fails on the way", async () => {
    await store.gateway.fail({ endpoint: "list", kind: "status", status: 500, times: 100 })
    const page = await admin.visit("/crypto-payments/reconciliation")
    await page.getByRole("button", { name: "Run now" }).click()
    await page.getByText("Compared with the gateway's list").waitFor()
    await page.getByText("Not the whole list was seen").first().waitFor()
    await page.getByText("Page 1: The gateway could not be read.").waitFor()
  })

  it("speaks Arabic", async () => {
    const page = await admin.visit("/crypto-payments/reconciliation", { language: "ar" })
    await page.getByRole("button", { name: "شغّل الآن" }).click()
    await page.getByText(ar.reconciliation.done).waitFor()
    await page.reload()
    await page.getByText("انتهت").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each(themes)("has no serious accessibility fault, %s", async (theme) => {
    const page = await admin.visit("/crypto-payments/reconciliation", { theme })
    await page.getByRole("button", { name: "Run now" }).click()
    await page.getByText("Compared with the gateway's list").waitFor()
    // Without the toast, and the button as it is when nothing runs.
    await page.reload()
    await page.getByText("Finished").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
