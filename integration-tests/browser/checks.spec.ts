import type { Page } from "playwright-core"
import { AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/checks/audits"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import type { Health } from "../../src/http-contract"
import { accessibilityFaults, hiddenWidth, saved } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"

const PAGE = "/crypto-payments/checks"
const AUDITED = {
  ran_at: "2026-11-21T03:47:00.000Z",
  duration_ms: 1234,
  checked: { payments: 12345, captures: 12300, refunds: 45 },
  findings: [],
  counts: {},
  found: 0,
  rules: ["captured_otherwise", "two_orders"],
  incomplete: [],
}
const NO_COUNTS = {
  ...{ calls: 1, listed: 500, known: 480, others: 20, check_requested: 0, adopted: 0, creation_under_way: 0 },
  ...{ unknown_session: 0, paid_and_unknown: 0, not_listed: 0, unreadable: 0 },
}
const COMPARED = {
  provider_id: "pp_crypto_default",
  started_at: "2026-11-21T03:17:00.000Z",
  finished_at: "2026-11-21T03:18:00.000Z",
  complete: true,
  incomplete_because: [] as object[],
  gateway_problem: null,
  counts: NO_COUNTS,
  rows: [] as object[],
  rows_left_out: 0,
}
const themes = ["light", "dark"] as const
const languages = [
  ["en", en],
  ["ar", ar],
] as const

describeAdmin("the checks", ({ admin, payments, store }) => {
  beforeEach(async () => {
    await store.knex("crypto_payment_audit").delete()
    await store.knex("crypto_payment_reconciliation").delete()
  })

  const check = (page: Page, name: "list" | "audit") => page.locator(`[data-check='${name}']`)
  const verdict = (page: Page, of: "all" | "list" | "audit", state: string) =>
    page.locator(`[data-verdict='${of}'][data-state='${state}']`)
  const finding = (page: Page, kind: string) => page.locator(`[data-finding='${kind}']`)
  const run = (page: Page, name: "list" | "audit", words: typeof en.checks = en.checks) =>
    page.getByRole("button", { name: `${words.run}: ${words[name].title}` })

  /** The page, with these as the last reports. */
  const withReports = async (
    { audit = AUDITED, report = COMPARED }: { audit?: object; report?: object },
    look: Parameters<typeof admin.visit>[1] = {}
  ) => {
    const page = await admin.visit("/orders", look)
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ json: { audit } })
    })
    await page.route("**/admin/crypto-payments/reconciliation?**", async (route) => {
      await route.fulfill({ json: { report, running_since: null, failed: null } })
    })
    await page.goto(page.url().replace("/orders", PAGE))
    return page
  }
  /** As if a script had written it: the schedule does not repair this. */
  const withDamage = async (use: (damaged: { id: string; displayId: string }) => Promise<void>) => {
    const { id, displayId } = await payments.paid()
    const row = store.knex("crypto_payment_request").where({ id })
    await row.clone().update({ gateway_status: "UNPAID" })
    try {
      await use({ id, displayId: `#${String(displayId)}` })
    } finally {
      await row.clone().update({ gateway_status: "PAID" })
    }
  }
  /** Paid at the gateway, and the store was never told. */
  const unheard = async () => {
    const payment = await payments.open()
    await store.gateway.pay(payment.paymentRequestId)
    return payment
  }
  const compare = async () =>
    await store.asAdmin.post("/crypto-payments/reconciliation", { provider_id: "pp_crypto_default" })

  it("say what they are while they have never run, and are one page in the side bar", async () => {
    const page = await admin.visit("/crypto-payments")
    await page.getByRole("link", { name: en.nav.checks, exact: true }).click()
    await verdict(page, "all", "todo").getByText(en.checks.verdict.todo).waitFor()
    await check(page, "list").getByText(en.checks.hint).waitFor()
    await check(page, "audit").getByText(en.checks.hint).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("run one after the other, and say when and how much they looked at", async () => {
    await payments.paid()
    const page = await admin.visit(PAGE)
    await run(page, "audit").click()
    await verdict(page, "audit", "done").getByText(en.checks.audit.clean).waitFor()
    await verdict(page, "all", "todo").waitFor()
    await run(page, "list").click()
    await page.getByText(en.checks.list.done).waitFor()
    await page.reload()
    const rules = String(AUDIT_RULE_NAMES.length)
    await check(page, "audit").getByText(`${rules} of ${rules} rules checked`).waitFor()
    await check(page, "list").getByText("payments in the gateway's list").waitFor()
    await check(page, "list").locator("time").first().waitFor()
  })

  it("say first that there is no finding", async () => {
    const page = await withReports({})
    await verdict(page, "all", "done").getByText("No finding to look at in 12,345 payments.").waitFor()
    await verdict(page, "list", "done").getByText(en.checks.list.clean).waitFor()
    const top = async (selector: string) => (await page.locator(selector).boundingBox())?.y ?? 0
    expect(await top("[data-verdict='all']")).toBeLessThan(await top("[data-check='list']"))
  })

  it.each(languages)(
    "say of a provider that is not set up why it is not compared, and lead to its settings: %s",
    async (language, words) => {
      const page = await admin.visit("/orders", { language })
      await page.route("**/admin/crypto-payments/health", async (route) => {
        const health = (await (await route.fetch()).json()) as Health
        const providers = health.providers.map((provider) => ({ ...provider, configured: false }))
        await route.fulfill({ json: { ...health, providers } })
      })
      await page.goto(page.url().replace("/orders", PAGE))
      const why = check(page, "list").getByRole("status").getByRole("link")
      await why.getByText(words.problems.not_configured).waitFor()
      expect(await run(page, "list", words.checks).isDisabled()).toBe(true)
      await verdict(page, "all", "todo").waitFor()
      await verdict(page, "audit", "todo").waitFor()
      await why.click()
      await page.waitForURL(/\/settings\/crypto-payments\?provider_id=pp_crypto_default$/)
    }
  )

  it("run the audit with the keyboard alone", async () => {
    const page = await admin.visit(PAGE)
    await run(page, "audit").focus()
    await page.keyboard.press("Enter")
    await verdict(page, "audit", "done").waitFor()
  })

  it("call no run a success that found something, or did not look everywhere", async () => {
    const page = await admin.visit(PAGE)
    await check(page, "audit").getByText(en.checks.neverRun).waitFor()
    let audit: object = { ...AUDITED, found: 2 }
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ json: { audit } })
    })
    const toast = page.locator("[data-sonner-toast]")
    await run(page, "audit").click()
    await toast.getByText("2 findings to look at").waitFor()
    audit = { ...AUDITED, incomplete: ["two_orders"] }
    await run(page, "audit").click()
    await toast.getByText(en.checks.audit.incomplete).waitFor()
    await verdict(page, "audit", "warning").getByText(en.audit.rules.two_orders.title).waitFor()
    await page.getByText("1 of 2 rules checked").waitFor()
  })

  it("say of a finding what it means and what to do, with its amount, order and date", async () => {
    await withDamage(async ({ id, displayId }) => {
      const page = await admin.visit(PAGE)
      await run(page, "audit").click()
      await verdict(page, "all", "warning").getByText("1 finding to look at").waitFor()
      const found = finding(page, "captured_without_paid")
      const words = en.audit.rules.captured_without_paid
      await found.getByRole("heading", { name: words.title }).waitFor()
      await found.getByText(words.meaning).waitFor()
      await found.getByText(words.action).waitFor()
      const row = found.locator("tbody tr")
      await row.getByRole("link", { name: displayId }).waitFor()
      expect(await row.locator("time").count()).toBe(1)
      await row.getByRole("link", { name: "20.01 USD" }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${id}`))
    })
  })

  it("count all findings of a rule, and show twenty of them at a time", async () => {
    const findings = Array.from({ length: 100 }, (_, index) => ({
      ...{ rule: "of_a_newer_server", message: "Something else is wrong.", order_ids: [] },
      request_ids: [`cpreq_${String(index)}`],
    }))
    const counts = { of_a_newer_server: 5988 }
    const page = await withReports({ audit: { ...AUDITED, findings, counts, found: 5988 } })
    const found = finding(page, "of_a_newer_server")
    await found.getByRole("heading", { name: "Something else is wrong." }).waitFor()
    await found.getByText("100 of 5,988", { exact: true }).waitFor()
    await found.getByText(en.audit.unknownAction).waitFor()
    await verdict(page, "all", "warning").getByText("5,988 findings to look at").waitFor()
    expect(await found.locator("tbody tr").count()).toBe(20)
    await found.getByRole("button", { name: "Next" }).click()
    await found.getByText("21 – 40 of 100").waitFor()
    await found.getByText("cpreq_20", { exact: true }).waitFor()
  })

  it("group what the comparison found by its kind, with one advice and a colour each", async () => {
    const { id } = await payments.paid()
    const row = (finding: string, index: number) => ({
      ...{ id, finding, listed_status: "PAID" },
      payment_request_id: `req-${finding}-${String(index)}`,
    })
    const rows = [
      ...Array.from({ length: 30 }, (_, index) => row("not_listed", index)),
      { ...row("unreadable", 0), id: null, listed_status: null, fields: ["amount", "status"] },
      row("check_requested", 0),
    ]
    const counts = { ...NO_COUNTS, not_listed: 9968, unreadable: 1, check_requested: 1 }
    const page = await withReports({ report: { ...COMPARED, counts, rows, rows_left_out: 9938 } })
    await verdict(page, "list", "warning").getByText("9,969 findings to look at").waitFor()
    await verdict(page, "all", "warning").getByText("9,969 findings to look at").waitFor()
    await verdict(page, "audit", "done").waitFor()
    const { not_listed } = en.reconciliation.finding
    const found = finding(page, "not_listed")
    await found.getByText("30 of 9,968", { exact: true }).waitFor()
    expect(await found.getByText(not_listed.todo).count()).toBe(1)
    expect(await found.locator("tbody tr").count()).toBe(20)
    await found.getByRole("link", { name: "20.01 USD" }).first().waitFor()
    await finding(page, "unreadable").getByText("Wrong fields: amount, status").waitFor()
    await finding(page, "unreadable").getByText("req-unreadable-0").waitFor()
  })

  it("calls what the comparison has dealt with itself nothing to do", async () => {
    const { id } = await payments.paid()
    const rows = [{ id, finding: "check_requested", listed_status: "PAID", payment_request_id: "req" }]
    const counts = { ...NO_COUNTS, check_requested: 1, unknown_session: 3 }
    const page = await withReports({ report: { ...COMPARED, counts, rows } })
    await verdict(page, "list", "done").getByText(en.checks.list.dealtWith).waitFor()
    await verdict(page, "all", "done").waitFor()
  })

  it("finds a payment that the store was never told of, and has it settled", async () => {
    const payment = await unheard()
    const page = await admin.visit(PAGE)
    await run(page, "list").click()
    await page.getByText(en.checks.list.done).waitFor()
    const found = finding(page, "check_requested")
    await found.getByText(en.reconciliation.finding.check_requested.todo).waitFor()
    await found.getByRole("link", { name: "20.01 USD" }).first().waitFor()
    await store.runSchedule()
    await payments.until(payment.paymentRequestId, { state: "captured" })
  })

  it("saves what the comparison found as CSV", async () => {
    const payment = await unheard()
    await compare()
    const page = await admin.visit(PAGE)
    await finding(page, "check_requested").waitFor()
    expect(await saved(page, "Download CSV")).toContain(payment.paymentRequestId)
  })

  it("say that not the whole list was seen when the gateway fails on the way", async () => {
    const report = {
      ...COMPARED,
      complete: false,
      incomplete_because: [{ page: 1, reason: "gateway_unavailable" }],
    }
    const page = await withReports({ report })
    await verdict(page, "list", "warning").getByText(en.checks.list.cleanInPart).waitFor()
    await page.getByText("Page 1: The gateway could not be read.").waitFor()
    await verdict(page, "all", "warning").getByText(en.checks.verdict.warning).waitFor()
    expect(await page.getByText(en.checks.list.clean).count()).toBe(0)
  })

  it.each(languages)("show red what was not compared, and replace nothing: %s", async (language, words) => {
    const payment = await unheard()
    await compare()
    await store.gateway.fail({ endpoint: "list", kind: "status", status: 503, times: 100 })
    const page = await admin.visit(PAGE, { language })
    await finding(page, "check_requested").waitFor()
    await run(page, "list", words.checks).click()
    await page.getByText(words.checks.list.failed).waitFor()
    await verdict(page, "list", "broken").getByText(words.problems.unreachable).waitFor()
    await verdict(page, "all", "broken").getByText(words.checks.verdict.broken).waitFor()
    await finding(page, "check_requested").waitFor()
    expect(await saved(page, words.common.export)).toContain(payment.paymentRequestId)
    await page.reload()
    await verdict(page, "list", "broken").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("say that the audit runs already", async () => {
    const page = await admin.visit(PAGE)
    const holding = await store.knex.transaction()
    await holding.raw("SELECT pg_advisory_xact_lock(hashtext('crypto_payment_audit'))")
    try {
      await run(page, "audit").click()
      await page.getByText(en.problems.already_running).waitFor()
    } finally {
      await holding.rollback()
    }
  })

  it("say that one could not be loaded, and load it again", async () => {
    const page = await admin.visit("/orders")
    await page.route("**/admin/crypto-payments/audit", async (route) => {
      await route.fulfill({ status: 500, json: { message: "down" } })
    })
    await page.goto(page.url().replace("/orders", PAGE))
    await check(page, "audit").getByRole("alert").getByText(en.common.loadFailed).waitFor()
    // Of what is not known, nothing is said.
    expect(await page.locator("[data-verdict='all']").count()).toBe(0)
    await page.unroute("**/admin/crypto-payments/audit")
    await page.getByRole("button", { name: en.common.retry }).click()
    await check(page, "audit").getByText(en.checks.neverRun).waitFor()
  })

  it("show every finding on a phone without drawing it aside", async () => {
    await withDamage(async () => {
      await store.asAdmin.post("/crypto-payments/audit", {})
      const page = await admin.visit(PAGE, { width: 390 })
      const table = finding(page, "captured_without_paid").getByRole("region")
      await table.getByRole("link", { name: "20.01 USD" }).waitFor()
      expect(await hiddenWidth(table)).toBe(0)
      expect(await hiddenWidth(page.locator("main"))).toBe(0)
    })
  })

  it.each(themes)("have no serious accessibility fault, %s", async (theme) => {
    await unheard()
    await compare()
    await withDamage(async () => {
      await store.asAdmin.post("/crypto-payments/audit", {})
      for (const language of ["en", "ar"] as const) {
        const page = await admin.visit(PAGE, { theme, language })
        const words = { en, ar }[language]
        const found = finding(page, "captured_without_paid")
        await found.getByRole("heading", { name: words.audit.rules.captured_without_paid.title }).waitFor()
        await found.getByRole("link").nth(1).waitFor()
        expect(await accessibilityFaults(page)).toEqual([])
      }
    })
    await store.asAdmin.post("/crypto-payments/audit", {})
  })
})
