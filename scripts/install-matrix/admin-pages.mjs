import { join } from "node:path"
import { chromium } from "playwright-core"

import { logIn } from "../../examples/demo/captured-once.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { startBrowser } from "../../integration-tests/browser/setup/browser.mjs"
import { readJson } from "../managers.mjs"

const PATIENCE_MS = 30_000
const { nav, detail, checks } = readJson(join(ROOT, "src/admin/i18n/en.json"))

/**
 * Opens the plugin's pages in the built admin, runs the audit, and opens the page of an order that was paid.
 *
 * @param {{ storeUrl: string, seeded: import("../../examples/demo/store.mjs").Seeded }} store with one payment
 */
export async function openAdminPages({ storeUrl, seeded }, signal) {
  const merchant = await logIn(storeUrl, seeded.admin, signal)
  const { crypto_payments: payments } = await merchant.get("/admin/crypto-payments")
  const browser = await startBrowser()
  const connection = await chromium.connect(browser.wsEndpoint())
  try {
    const context = await connection.newContext()
    context.setDefaultTimeout(PATIENCE_MS)
    // As core's sign-in page does it.
    const signedIn = await context.request.post(`${storeUrl}/auth/user/emailpass`, { data: seeded.admin })
    const headers = { authorization: `Bearer ${(await signedIn.json()).token}` }
    await context.request.post(`${storeUrl}/auth/session`, { headers })
    await openPages(await context.newPage(), `${storeUrl}/app`, payments[0])
  } finally {
    await connection.close()
    await browser.close()
  }
}

async function openPages(page, admin, { id, order_id }) {
  const faults = []
  page.on("pageerror", (error) => faults.push(error.message))
  const heading = (name) => page.locator("main").getByRole("heading", { name, exact: true }).first()
  for (const [path, what] of [
    ["crypto-payments", heading(nav.payments)],
    [`crypto-payments/${id}`, heading(detail.timeline)],
    ["crypto-payments/balances", heading(nav.balances)],
    ["crypto-payments/settlements", heading(nav.settlements)],
    ["settings/crypto-payments", heading(nav.payments)],
    [`orders/${order_id}`, page.getByTestId("order-crypto-payment")],
    ["crypto-payments/checks", heading(nav.checks)],
  ]) {
    await page.goto(`${admin}/${path}`)
    await seen(page, path, what)
  }
  await page.getByRole("button", { name: `${checks.run}: ${checks.audit.title}` }).click()
  // A new store has two copies of @medusajs/ui, and the dashboard shows the toasts of both.
  await seen(page, "the audit", page.locator("[data-sonner-toast]").getByText(checks.audit.done))
  if (faults.length > 0) {
    throw new Error(`The admin's pages throw:\n  ${faults.join("\n  ")}`)
  }
}

async function seen(page, name, what) {
  try {
    await what.waitFor()
  } catch (cause) {
    const text = await page.locator("body").innerText()
    throw new Error(`The admin shows on ${name}:\n${text.slice(0, 2000)}`, { cause })
  }
}
