import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { chromium } from "playwright-core"

import { httpClient } from "../../examples/demo/http.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"

const SRC = join(ROOT, "src/admin")
const WIDGET = "[data-testid='order-crypto-payment']"
const PATIENCE_MS = 30_000

const words = JSON.parse(readFileSync(join(SRC, "i18n/en.json"), "utf8"))
/** The heading of each page, by its folder. */
const HEADINGS = {
  "crypto-payments": words.nav.payments,
  "crypto-payments/[id]": words.detail.timeline,
  "crypto-payments/balances": words.nav.balances,
  "crypto-payments/checks": words.nav.checks,
  "crypto-payments/settlements": words.nav.settlements,
  "settings/crypto-payments": words.nav.payments,
}

/**
 * Opens every page of the plugin's in the built admin, and the page of an order that was paid with it.
 *
 * @param {string} browser its address
 * @param {import("../tarball/take-payment.mjs").RunningStore} store with one payment
 * @returns {Promise<number>} how many pages
 */
export async function openAdminPages(browser, { storeUrl, seeded }, signal) {
  const connection = await chromium.connect(browser)
  try {
    const context = await connection.newContext()
    context.setDefaultTimeout(PATIENCE_MS)
    const headers = await signIn(context.request, storeUrl, seeded.admin)
    const { crypto_payments: payments } = await httpClient(storeUrl, headers, signal).get(
      "/admin/crypto-payments"
    )
    return await openPages(await context.newPage(), `${storeUrl}/app`, payments[0])
  } finally {
    await connection.close()
  }
}

async function openPages(page, admin, { id, order_id }) {
  const faults = []
  page.on("pageerror", (error) => faults.push(error.message))
  for (const folder of pageFolders()) {
    await page.goto(`${admin}/${folder.replace("[id]", id)}`)
    const name = HEADINGS[folder]
    if (name === undefined) {
      throw new Error(`scripts/install-matrix/admin-pages.mjs does not know the heading of ${folder}`)
    }
    await seen(page, folder, page.locator("main").getByRole("heading", { name, exact: true }).first())
  }
  await page.goto(`${admin}/crypto-payments/checks`)
  await page.getByRole("button", { name: `${words.checks.run}: ${words.checks.audit.title}` }).click()
  // A new store has two copies of @medusajs/ui, and the dashboard shows the toasts of both.
  await seen(page, "audit", page.locator("[data-sonner-toast]").getByText(words.checks.audit.done))
  await page.goto(`${admin}/orders/${order_id}`)
  await seen(page, "orders", page.locator(WIDGET))
  if (faults.length > 0) {
    throw new Error(`The admin's pages throw:\n  ${faults.join("\n  ")}`)
  }
  return pageFolders().length + 1
}

/** As they lie in the sources, so that a new page is opened, too. */
function pageFolders() {
  return readdirSync(join(SRC, "routes"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("/page.tsx"))
    .map((file) => file.slice(0, -"/page.tsx".length))
    .sort()
}

/**
 * As core's sign-in page does it.
 *
 * @returns {Promise<{authorization: string}>} for calls without the browser
 */
async function signIn(request, storeUrl, admin) {
  const { token } = await (await request.post(`${storeUrl}/auth/user/emailpass`, { data: admin })).json()
  const headers = { authorization: `Bearer ${token}` }
  await request.post(`${storeUrl}/auth/session`, { headers })
  return headers
}

async function seen(page, name, what) {
  try {
    await what.waitFor()
  } catch (cause) {
    const text = await page.locator("body").innerText()
    throw new Error(`The admin's page ${name} shows:\n${text.slice(0, 2000)}`, { cause })
  }
}
