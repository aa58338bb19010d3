import { AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/checks/audits"
import type { Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import { accessibilityFaults } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"

const PAGE = "/crypto-payments/audit"
const CLEAN = {
  ran_at: "2026-11-21T03:47:00.000Z",
  duration_ms: 1234,
  checked: { payments: 12345, captures: 12300, refunds: 45 },
  findings: [],
  found: 0,
  rules: ["captured_otherwise", "two_orders"],
  incomplete: [],
}

const themes = ["light", "dark"] as const

describeAdmin("the audit", ({ admin, payments, store }) => {
  const neverRun = async () => {
    await store.knex("crypto_payment_audit").delete()
  }
  beforeEach(neverRun)

  const runButton = (page: Page) => page.getByRole("button", { name: en.audit.run })
  const section = (page: Page, rule: string) => page.locator(`[data-rule='${rule}']`)
  /** The page, with this as the last report. */
  const withReport = async (audit: object, language: "en" | "ar" = "en") => {
    const page = await admin.visit("/orders", { language })
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ json: { audit } })
    })
    await page.goto(page.url().replace("/orders", PAGE))
    return page
  }
  /** As if a script had written it: the schedule does not repair this. */
  const withDamage = async (use: (damaged: { id: string; orderId: string }) => Promise<void>) => {
    const { id, orderId } = await payments.paid()
    const row = store.knex("crypto_payment_request").where({ id })
    await row.clone().update({ gateway_status: "UNPAID" })
    try {
      await use({ id, orderId: String(orderId) })
    } finally {
      await row.clone().update({ gateway_status: "PAID" })
    }
  }

  it("says what it is while it has never run, and is in the side bar", async () => {
    const page = await admin.visit("/crypto-payments")
    await page.getByRole("link", { name: en.nav.audit, exact: true }).click()
    await page.getByText(en.audit.none).waitFor()
    await page.getByText(en.audit.noneHint).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("runs with the keyboard alone, and says that nothing is unexplained", async () => {
    await payments.paid()
    const page = await admin.visit(PAGE)
    await page.getByText(en.audit.none).waitFor()
    for (let presses = 0; presses < 60; presses++) {
      await page.keyboard.press("Tab")
      if (await runButton(page).evaluate((button) => button === button.ownerDocument.activeElement)) {
        break
      }
    }
    await page.keyboard.press("Enter")
    await page.getByText(en.audit.done).waitFor()
    await page.locator("[data-verdict='clean']").getByText("0 unexplained").waitFor()
    await page.reload()
    await page.locator("[data-verdict='clean']").getByText("0 unexplained").waitFor()
    const rules = String(AUDIT_RULE_NAMES.length)
    await page.getByText(`${rules} of ${rules}`).waitFor()
  })

  it("calls no run a success that found something, or did not look everywhere", async () => {
    const page = await admin.visit(PAGE)
    await page.getByText(en.audit.none).waitFor()
    let report: object = { ...CLEAN, found: 2 }
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ json: { audit: report } })
    })
    await runButton(page).click()
    const toast = page.locator("[data-sonner-toast]")
    await toast.getByText("2 findings").waitFor()
    report = { ...CLEAN, incomplete: ["two_orders"] }
    await runButton(page).click()
    await toast.getByText(en.audit.incomplete).waitFor()
  })

  it("counts what was checked", async () => {
    const page = await withReport(CLEAN)
    await page.getByText("12,345 payments, 0 unexplained").waitFor()
    await page.getByText(en.audit.cleanHint).waitFor()
    await page.getByText("1.2 s").waitFor()
    await page.getByText("12,300").waitFor()
  })

  it("says of a finding what it means and what to do, and leads to the payment and the order", async () => {
    await withDamage(async ({ id, orderId }) => {
      const page = await admin.visit(PAGE)
      await runButton(page).click()
      const found = section(page, "captured_without_paid")
      const words = en.audit.rules.captured_without_paid
      await found.getByRole("heading", { name: words.title }).waitFor()
      await found.getByText(words.meaning).waitFor()
      await found.getByText(words.action).waitFor()
      await page.getByText(/^[\d,]+ payments?, 1 finding$/).waitFor()
      expect(await found.getByRole("link", { name: orderId }).getAttribute("href")).toMatch(
        new RegExp(`/orders/${orderId}$`)
      )
      await found.getByRole("link", { name: id }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${id}`))
    })
  })

  it("never calls a partial report clean, and names what is not known", async () => {
    const page = await withReport({ ...CLEAN, incomplete: ["two_orders"] })
    await page.getByText("12,345 payments, not everything checked").waitFor()
    await page.getByText(en.audit.incompleteHint).waitFor()
    const incomplete = page.getByRole("region", { name: en.audit.incomplete })
    await incomplete.getByText(en.audit.rules.two_orders.title).waitFor()
    await page.getByText("1 of 2").waitFor()
    expect(await page.locator("[data-verdict='clean']").count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("says how many findings are not shown, and takes the server's words for a rule it does not know", async () => {
    const finding = { rule: "of_a_newer_server", message: "Something else is wrong.", order_ids: [] }
    const findings = Array.from({ length: 100 }, (_, index) => ({
      ...finding,
      request_ids: [`cpreq_${String(index)}`],
    }))
    const page = await withReport({ ...CLEAN, findings, found: 10_000 })
    await page.getByText("12,345 payments, 10,000 findings").waitFor()
    await page.getByText("100 of 10,000 findings are shown").waitFor()
    const found = section(page, "of_a_newer_server")
    await found.getByRole("heading", { name: "Something else is wrong." }).waitFor()
    await found.getByText(en.audit.unknownAction).waitFor()
    expect(await found.getByRole("listitem").count()).toBe(100)
  })

  it("says that it runs already", async () => {
    const page = await admin.visit(PAGE)
    const holding = await store.knex.transaction()
    await holding.raw("SELECT pg_advisory_xact_lock(hashtext('crypto_payment_audit'))")
    try {
      await runButton(page).click()
      await page.getByText(en.problems.already_running).waitFor()
    } finally {
      await holding.rollback()
    }
  })

  it("says that it could not be loaded, and loads it again", async () => {
    const page = await admin.visit("/orders")
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ status: 500, json: { message: "down" } })
    })
    await page.goto(page.url().replace("/orders", PAGE))
    await page.getByRole("alert").getByText(en.common.loadFailed).waitFor()
    await page.unroute("**/admin/crypto-payments/audit")
    await page.getByRole("button", { name: en.common.retry }).click()
    await page.getByText(en.audit.none).waitFor()
  })

  it("speaks Arabic", async () => {
    await withDamage(async ({ id }) => {
      const page = await admin.visit(PAGE, { language: "ar" })
      await page.getByText(ar.audit.none).waitFor()
      await page.getByRole("button", { name: ar.audit.run }).click()
      const found = section(page, "captured_without_paid")
      await found.getByRole("heading", { name: ar.audit.rules.captured_without_paid.title }).waitFor()
      await found.getByRole("link", { name: id }).waitFor()
      // Without the toast.
      await page.reload()
      await found.waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
    })
  })

  it.each(themes)("has no serious accessibility fault, %s", async (theme) => {
    await withDamage(async () => {
      await store.asAdmin.post("/crypto-payments/audit", {})
      const page = await admin.visit(PAGE, { theme })
      await section(page, "captured_without_paid").waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
    })
    await store.asAdmin.post("/crypto-payments/audit", {})
    const page = await admin.visit(PAGE, { theme })
    await page.locator("[data-verdict='clean']").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })
})
