import type { Locator, Page } from "playwright-core"
import { choose } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { Settings } from "./support/settings"

const SETTINGS = "/settings/crypto-payments"

/** Both clicks come before the page can be drawn anew, as a double click's may on a slow machine. */
async function clickTwice(button: Locator): Promise<void> {
  // Until a page has read what it needs, its button is disabled, and a click of a script on it does nothing.
  await button.click({ trial: true })
  await button.evaluate((element: { click: () => void }) => {
    element.click()
    element.click()
  })
}

/** The paths that this page sends something to, or asks for a file, from now on. */
function sentBy(page: Page): string[] {
  const paths: string[] = []
  page.on("request", (request) => {
    if (request.method() === "POST" || /\/export\b/.test(request.url())) {
      paths.push(new URL(request.url()).pathname.replace("/admin/crypto-payments", ""))
    }
  })
  return paths
}

const failures = (page: Page) => page.getByText(/could not be|did not work/)

describeAdmin("a double click", ({ admin, payments, store }) => {
  const settings = new Settings(store)

  it("registers a refund once, and says that it is registered", async () => {
    const { id } = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${id}`)
    await page.getByRole("button", { name: "Register refund" }).click()
    const form = page.getByRole("dialog")
    const submit = form.getByRole("button", { name: "Register refund" })
    await submit.click()
    await form.getByText("Enter a reference for this refund.").waitFor()
    await form.getByLabel("Amount (USD)").fill("5.00")
    await form.getByLabel("Reference").fill("ticket 78")
    const sent = sentBy(page)
    await clickTwice(submit)
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await form.waitFor({ state: "detached" })
    expect(sent).toEqual([`/${id}/refunds`])
    expect(await failures(page).count()).toBe(0)
  })

  it("resolves a case once", async () => {
    const { id } = await payments.mismatched()
    const page = await admin.visit(`/crypto-payments/${id}`)
    await choose(page.locator("main"), "Resolve")
    const form = page.getByRole("dialog")
    await form.getByLabel("What was done").fill("Sent by bank transfer")
    const sent = sentBy(page)
    await clickTwice(form.getByRole("button", { name: "Resolve" }))
    await page.getByText("Case resolved", { exact: true }).first().waitFor()
    await form.waitFor({ state: "detached" })
    expect(sent).toEqual([`/${id}/resolve`])
    expect(await failures(page).count()).toBe(0)
  })

  it("checks a payment once", async () => {
    const { id } = await payments.open()
    const page = await admin.visit(`/crypto-payments/${id}`)
    const sent = sentBy(page)
    await clickTwice(page.getByRole("button", { name: "Check now" }))
    await page.getByText("Checked at the gateway", { exact: true }).waitFor()
    expect(sent).toEqual([`/${id}/settle`])
  })

  it("asks for an order's pay page and for its payment link once", async () => {
    await settings.save({ order_placement: "before_payment" })
    const { id, orderId } = await payments.ordered().finally(async () => await settings.restore())
    const page = await admin.visit(`/crypto-payments/${id}`)
    const sent = sentBy(page)
    await clickTwice(page.getByRole("button", { name: "Copy pay page" }))
    await page.getByText("Pay page copied", { exact: true }).waitFor()
    await page.locator("main").getByRole("button", { name: "More actions" }).click()
    await clickTwice(page.getByRole("menuitem", { name: "Copy payment link" }))
    await page.getByText("Payment link copied", { exact: true }).waitFor()
    expect(sent).toEqual(["pay-page", "payment-link"].map((path) => `/orders/${String(orderId)}/${path}`))
  })

  it("compares the gateway's list once", async () => {
    const page = await admin.visit("/crypto-payments/checks")
    const sent = sentBy(page)
    await clickTwice(page.getByRole("button", { name: "Run now: Gateway and store" }))
    await page.getByText("Compared with the gateway's list").waitFor()
    expect(sent).toEqual(["/reconciliation"])
    expect(await failures(page).count()).toBe(0)
  })

  it("saves one file", async () => {
    const page = await admin.visit("/crypto-payments/settlements")
    const sent = sentBy(page)
    const download = page.waitForEvent("download")
    await clickTwice(page.getByRole("button", { name: "Totals (CSV)" }))
    await download
    expect(sent).toEqual(["/settlements/export"])
  })

  it("saves the settings once", async () => {
    const page = await admin.visit(SETTINGS)
    await page.getByRole("button", { name: "Edit connection" }).click()
    const form = page.getByRole("dialog")
    await form.getByLabel("Timeout").fill("9100")
    const sent = sentBy(page)
    await clickTwice(form.getByRole("button", { name: "Save" }))
    await page.getByText("Settings saved").waitFor()
    await form.waitFor({ state: "detached" })
    await settings.restore()
    expect(sent.filter((path) => !path.endsWith("/check"))).toEqual(["/settings/pp_crypto_default"])
    expect(await failures(page).count()).toBe(0)
  })

  it.each([
    ["Test connection", "/check", "The connection works:", "Edit connection"],
    ["Send self-test", "/webhook-check", "The self-test arrived and was verified", null],
  ])("sends one test with %s", async (button, path, answer, form) => {
    const page = await admin.visit(SETTINGS)
    // The checklist asks the gateway by itself.
    await page
      .locator("[data-checklist='finished'], [data-line='connection'][data-state='done']")
      .first()
      .waitFor()
    if (form !== null) {
      await page.getByRole("button", { name: form }).click()
    }
    const sent = sentBy(page)
    await clickTwice(page.getByRole("button", { name: button }))
    await page.getByText(answer).waitFor()
    expect(sent).toEqual([`/settings/pp_crypto_default${path}`])
  })
})
