import type { Page } from "playwright-core"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
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
    await page.getByRole("menuitem", { name }).click()
    await page.getByRole("dialog").getByText(value, { exact: true }).click()
  }

  it("shows a captured payment with its coin, fee, net and order", async () => {
    const page = await admin.visit(`/crypto-payments?q=${paid.paymentRequestId}`)
    const row = rows(page, `#${String(paid.displayId)}`)
    await row.waitFor()
    expect(await row.innerText()).toMatch(/Captured[^]*20\.01 USD[^]*BTC[^]*0\.2001 USD[^]*19\.8099 USD/)
  })

  it("shows fee and net in the currency that came, which need not be the one asked for", async () => {
    const { paymentRequestId } = await payments.mismatched({ currencySymbol: "AED" })
    const page = await admin.visit(`/crypto-payments?q=${paymentRequestId}`)
    await untilOnly(page, "20.01 USD")
    expect(await page.locator("tbody tr").innerText()).toMatch(/0\.2001 AED[^]*19\.8099 AED/)
  })

  it("finds a payment by the customer's e-mail, and keeps the search in the address", async () => {
    const page = await admin.visit("/crypto-payments")
    await search(page, "list@open.example.test")
    await untilOnly(page, "73.50 AED")
    await page.reload()
    await untilOnly(page, "73.50 AED")
  })

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
    const page = await admin.visit("/crypto-payments?q=list@")
    await filter(page, "Status", "Awaiting payment")
    await page.waitForURL((url) => url.searchParams.get("state")?.includes("open") ?? false)
    await untilOnly(page, "Awaiting payment")
  })

  it("filters by what needs attention through the filter menu", async () => {
    const page = await admin.visit("/crypto-payments?q=list@")
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
