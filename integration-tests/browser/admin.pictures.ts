import { writeFileSync } from "node:fs"
import { resolve } from "node:path"
import type { Page } from "playwright-core"
import { letMinutesPass } from "../support/time"
import { type Look, untilStill } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment, Payments } from "./support/payments"
import { press, ShopperBrowsers } from "./support/shop"
import type { StoreFromOutside } from "./support/store"

const FOLDER = resolve(__dirname, "../../docs/images")
const COINS = ["USDT", "BTC", "ETH"]
/** When each was paid, the oldest first, as its order's number goes up. */
const DAYS_AGO = [26, 23, 19, 17, 15, 13, 11, 9, 8, 6, 5, 3, 2, 1]

const LOOKS: Record<string, Look> = {
  light: {},
  dark: { theme: "dark", width: 1280 },
  arabic: { language: "ar" },
  narrow: { width: 390 },
}
const DAY_MINUTES = 24 * 60
const LEAST_HEIGHT = 500
const MOST_HEIGHT = 2000

interface Subject {
  path: string
  /** Is there once the page has everything it shows. */
  loaded: string
  /** What the picture is about, when the page is too long to be seen whole. */
  about?: string
}

/** Not tests: `npm run pictures` takes the documentation's pictures of a store with a month of payments. */
describeAdmin("pictures of the admin", ({ admin, payments, store }) => {
  let subjects: Record<string, Subject>
  beforeAll(async () => {
    subjects = await prepare(payments, store)
  })

  const names = ["payments", "attention", "payment", "order", "balances", "settlements", "checks", "settings"]
  const pictures = names.flatMap((name) => Object.keys(LOOKS).map((look) => [name, look]))
  it.each(pictures)("%s, %s", async (name = "", look = "") => {
    const subject = subjects[name] ?? { path: "/", loaded: "main" }
    const page = await admin.visit(subject.path, { height: LEAST_HEIGHT, ...LOOKS[look] })
    await untilLoaded(page, subject)
    await fitHeight(page)
    if (subject.about !== undefined) {
      await page.locator(subject.about).scrollIntoViewIfNeeded()
    }
    await save(page, `admin/${name}-${look}`)
  })
})

const PAY_PAGES: (Look & { name: string; button?: "pay" | "part"; says: string })[] = [
  { name: "to-pay", says: "To pay", width: 1024 },
  { name: "part-arrived", says: "Part of your payment has arrived", button: "part" },
  { name: "paid-dark", says: "Paid", button: "pay", theme: "dark" },
  { name: "to-pay-arabic", says: "المبلغ المطلوب", language: "ar" },
]

describeAdmin("pictures of the pay page", ({ payments, store }) => {
  const payers = new ShopperBrowsers()
  afterAll(async () => await payers.close())

  it.each(PAY_PAGES)(
    "$name",
    async ({ name, button, says, language = "en", theme = "light", width = 390 }) => {
      const path = `/crypto-payments/orders/${await payments.madeByMerchant()}/pay-page`
      const url = String((await store.asAdmin.post(path)).data.url)
      const payer = await payers.another({ language })
      if (button !== undefined) {
        const paying = await payer.open(url)
        await paying.locator("form button").click()
        await press(paying, button)
      }
      const page = await payer.open(url)
      await page.setViewportSize({ width, height: 480 })
      await page.emulateMedia({ colorScheme: theme })
      await page.getByRole("heading", { name: says, exact: true }).waitFor()
      await save(page, `pay-page/${name}`)
    }
  )
})

async function save(page: Page, file: string): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send("Page.captureScreenshot", { format: "webp", quality: 75 })
  writeFileSync(resolve(FOLDER, `${file}.webp`), Buffer.from(data, "base64"))
}

async function untilLoaded(page: Page, { loaded }: Subject): Promise<void> {
  await page.locator(loaded).first().waitFor()
  await page.locator(".animate-pulse").first().waitFor({ state: "detached" })
  await page.evaluate("document.fonts.ready")
  await untilStill(page)
}

/** Makes the window as high as what is in it, within reason: core's pages scroll in an element of their own. */
async function fitHeight(page: Page): Promise<void> {
  const { width, height } = page.viewportSize() ?? { width: 0, height: 0 }
  const hidden = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('main, main *, body')].filter((element) =>" +
      " ['auto', 'scroll'].includes(getComputedStyle(element).overflowY))" +
      ".map((element) => element.scrollHeight - element.clientHeight), 0)"
  )
  await page.setViewportSize({ width, height: Math.min(height + hidden, MOST_HEIGHT) })
}

async function prepare(payments: Payments, store: StoreFromOutside): Promise<Record<string, Subject>> {
  await letMinutesPass(store, 28 * DAY_MINUTES, [await payments.open()])
  let last: MadePayment | undefined
  for (const [index, days] of DAYS_AGO.entries()) {
    last = await payments.paid({
      coin: COINS[index % COINS.length] ?? "",
      currency: index % 2 === 0 ? "usd" : "aed",
    })
    await letMinutesPass(store, days * DAY_MINUTES, [last])
  }
  const odd = await payments.mismatched()
  await letMinutesPass(store, 5 * 60, [odd])
  await letMinutesPass(store, 3 * 60, [await payments.orphaned()])
  const unheard = await payments.open()
  await store.gateway.pay(unheard.paymentRequestId)
  await store.asAdmin.post("/crypto-payments/reconciliation", { provider_id: "pp_crypto_default" })
  await store.runSchedule()
  await payments.until(unheard.paymentRequestId, { state: "captured" })
  await letMinutesPass(store, 2 * 60, [unheard])
  await letMinutesPass(store, 60, [await payments.open()])
  await store.asAdmin.post("/crypto-payments/settings/pp_crypto_default/webhook-check", {})
  await auditDamaged(store, last)
  return {
    payments: { path: "/crypto-payments", loaded: "tbody tr:nth-child(10) a" },
    attention: { path: "/crypto-payments?tab=attention", loaded: "article" },
    payment: { path: `/crypto-payments/${odd.id}`, loaded: "tbody tr" },
    order: {
      path: `/orders/${String(last?.orderId)}`,
      loaded: "[data-testid='order-crypto-payment'] section li",
      about: "[data-testid='order-crypto-payment']",
    },
    balances: { path: "/crypto-payments/balances", loaded: "tbody tr" },
    settlements: { path: "/crypto-payments/settlements", loaded: "figure" },
    checks: { path: "/crypto-payments/checks", loaded: "[data-finding='captured_without_paid'] td time" },
    settings: {
      path: "/settings/crypto-payments",
      loaded: "[data-checklist]",
    },
  }
}

/** The last report has a finding; the payment is as it was. */
async function auditDamaged(store: StoreFromOutside, payment: MadePayment | undefined): Promise<void> {
  const row = store.knex("crypto_payment_request").where({ id: payment?.id ?? "" })
  await row.clone().update({ gateway_status: "UNPAID" })
  await store.asAdmin.post("/crypto-payments/audit", {})
  await row.clone().update({ gateway_status: "PAID" })
}
