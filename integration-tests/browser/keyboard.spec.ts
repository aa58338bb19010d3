import type { Locator, Page } from "playwright-core"
import { hasFocus } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { Settings } from "./support/settings"
import { setting } from "./support/store"
import { untilTrue, waitUntil } from "../support/wait-until"

const MOST_TABS = 150

/** No test here touches the mouse: `click` and `fill` are not called. */
describeAdmin("the admin without a mouse", ({ admin, payments, store }) => {
  /** Presses Tab until the element has the focus. */
  const tabTo = async (page: Page, target: Locator): Promise<void> => {
    await target.waitFor()
    for (let pressed = 0; pressed < MOST_TABS; pressed++) {
      if (await hasFocus(target)) {
        return
      }
      await page.keyboard.press("Tab")
    }
    throw new Error(`Tab does not reach ${target.toString()}`)
  }
  /** Presses the arrow until the option has the focus. Each press waits for the one before: the menu moves its focus later. */
  const arrowTo = async (page: Page, option: Locator): Promise<void> => {
    await option.waitFor()
    const focused = page.locator("[role=option]:focus")
    await focused.waitFor()
    for (let pressed = 0; pressed < MOST_TABS && !(await hasFocus(option)); pressed++) {
      const before = await focused.textContent()
      await page.keyboard.press("ArrowDown")
      for (let looked = 0; looked < 100 && (await focused.textContent()) === before; looked++) {
        await page.waitForTimeout(50)
      }
    }
    expect(await hasFocus(option)).toBe(true)
  }
  const press = async (page: Page, target: Locator, key = "Enter"): Promise<void> => {
    await tabTo(page, target)
    await page.keyboard.press(key)
  }
  const type = async (page: Page, target: Locator, text: string): Promise<void> => {
    await tabTo(page, target)
    await page.keyboard.press("Control+A")
    // At once: the search of core's table drops keys that are pressed while it changes the page's address.
    await page.keyboard.insertText(text)
  }
  const button = (within: Page | Locator, name: string) =>
    within.getByRole("button", { name, exact: true }).first()
  /** The drawer asks before it drops what was typed: it is kept first, then dropped. */
  const leaveAsked = async (page: Page): Promise<void> => {
    const question = page.getByRole("alertdialog")
    const field = await page.locator(":focus").elementHandle()
    for (const goOn of [
      async () => await page.keyboard.press("Escape"),
      async () => await press(page, button(question, "Continue editing")),
    ]) {
      await page.keyboard.press("Escape")
      await question.getByText("Discard your changes?").waitFor()
      await goOn()
      await question.waitFor({ state: "detached" })
      await untilTrue(async () => await field.evaluate((element) => element.matches(":focus")))
    }
    await page.keyboard.press("Escape")
    await press(page, button(question, "Discard"))
    await page.getByRole("dialog").waitFor({ state: "detached" })
  }
  const untilFocused = async (target: Locator): Promise<void> => {
    await waitUntil(
      async () => await hasFocus(target),
      (isFocused) => isFocused
    )
  }

  it("opens a payment without an order from the list, checks it and copies its id", async () => {
    const payment = await payments.open({ email: "keys@example.test" })
    const page = await admin.visit("/crypto-payments")
    await type(page, page.getByPlaceholder("Search"), "keys@example.test")
    await page.waitForURL((url) => url.searchParams.get("q") === "keys@example.test")
    await press(page, page.locator("tbody tr").first().getByRole("link", { name: "20.01 USD" }))
    await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${payment.id}`))
    await press(page, button(page, "Check now"))
    await page.getByText("Checked at the gateway", { exact: true }).waitFor()
    await press(page, page.locator("summary", { hasText: "Technical details" }))
    await press(page, button(page, "Copy: Payment"))
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(payment.id)
  })

  it("filters, sorts and turns to what needs attention", async () => {
    await payments.open({ email: "keys@example.test" })
    const page = await admin.visit("/crypto-payments?q=keys@example.test")
    await page.locator("tbody tr").first().waitFor()
    const menus = page.locator("button[aria-haspopup='menu']:has(svg)")
    await press(page, menus.nth(-2))
    await page.getByRole("menuitem", { name: "Status", exact: true }).waitFor()
    await page.keyboard.press("Enter")
    await press(
      page,
      page
        .getByRole("dialog")
        .getByText("Awaiting payment", { exact: true })
        .locator("xpath=ancestor-or-self::*[self::button or @tabindex][1]")
    )
    await page.waitForURL((url) => url.searchParams.get("state")?.includes("open") ?? false)
    // A key that is pressed while the list is drawn anew reaches nobody.
    while ((await page.locator("[role=dialog], [role=menu]").count()) > 0) {
      await page.keyboard.press("Escape")
      await page.waitForTimeout(200)
    }
    await press(page, page.getByRole("tab", { name: "All" }), "ArrowRight")
    await untilFocused(page.getByRole("tab", { name: "Attention" }))
    await page.keyboard.press("Enter")
    await page.getByRole("heading", { name: "Attention" }).waitFor()
    await press(page, page.getByRole("combobox", { name: "Reason" }))
    await arrowTo(page, page.getByRole("option", { name: "Paid twice" }))
    await page.keyboard.press("Enter")
    await page.waitForURL((url) => url.searchParams.get("reason") === "duplicate_payment")
  })

  it("registers a refund, asked before what was typed is dropped, and goes on where it was", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const opener = button(page.locator("main"), "Register refund")
    const drawer = page.getByRole("dialog")
    await press(page, opener)
    await untilFocused(drawer.getByLabel("Amount (USD)"))
    await page.keyboard.press("Escape")
    await drawer.waitFor({ state: "detached" })
    await untilFocused(opener)

    await page.keyboard.press("Enter")
    await type(page, drawer.getByRole("textbox", { name: "Reference" }), "tx-keys")
    await leaveAsked(page)
    await untilFocused(opener)

    await page.keyboard.press("Enter")
    await type(page, drawer.getByLabel("Amount (USD)"), "1.00")
    await type(page, drawer.getByRole("textbox", { name: "Reference" }), "tx-keys")
    await page.keyboard.press("Enter")
    await page.getByText("Refund registered", { exact: true }).waitFor()
    await page.getByText("1.00 USD of 20.01 USD refunded").first().waitFor()
    await untilFocused(opener)

    // The rest, after which the button is gone.
    await page.keyboard.press("Enter")
    await type(page, drawer.getByRole("textbox", { name: "Reference" }), "tx-rest")
    await page.keyboard.press("Enter")
    await opener.waitFor({ state: "detached" })
    await untilFocused(page.locator("main").getByRole("heading", { level: 1 }))
  })

  it("resolves a case", async () => {
    const payment = await payments.orphaned()
    const page = await admin.visit("/crypto-payments?tab=attention&reason=orphan_paid")
    const found = page.getByRole("article", { name: payment.id })
    // The last action of the menu, which opens with the focus on its first.
    const menu = button(found, "More actions")
    const pressResolve = async () => {
      await page.getByRole("menuitem").first().waitFor()
      await page.keyboard.press("End")
      await untilFocused(page.getByRole("menuitem", { name: "Resolve" }))
      await page.keyboard.press("Enter")
    }
    await press(page, menu)
    await pressResolve()
    const drawer = page.getByRole("dialog")
    await untilFocused(drawer.getByLabel("What was done"))
    await type(page, drawer.getByLabel("What was done"), "sent back")
    await leaveAsked(page)
    await untilFocused(menu)
    await page.keyboard.press("Enter")
    await pressResolve()
    await type(page, drawer.getByLabel("What was done"), "sent back")
    await press(page, button(drawer, "Resolve"))
    await found.waitFor({ state: "detached" })
    await untilFocused(page.getByRole("heading", { name: "Attention" }))
  })

  it("goes on at the payment's heading when its menu is gone", async () => {
    const payment = await payments.open()
    const row = store.knex("crypto_payment_request").where({ id: payment.id })
    await row.update({ attention_reason: "gateway_refuses", attention_since: store.knex.fn.now() })
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const menu = button(page.locator("main"), "More actions")
    await press(page, menu)
    await page.getByRole("menuitem").first().waitFor()
    await page.keyboard.press("End")
    await untilFocused(page.getByRole("menuitem", { name: "Resolve" }))
    await page.keyboard.press("Enter")
    const drawer = page.getByRole("dialog")
    await type(page, drawer.getByLabel("What was done"), "asked the gateway")
    await press(page, button(drawer, "Resolve"))
    await menu.waitFor({ state: "detached" })
    await untilFocused(page.getByRole("heading", { level: 1 }))
  })

  it("is back at its button when a draft order is not created after all", async () => {
    const payment = await payments.orphaned()
    const page = await admin.visit(`/crypto-payments/${payment.id}`)
    const opener = button(page.locator("main"), "Create draft order")
    const question = page.getByRole("alertdialog")
    await press(page, opener)
    await question.waitFor()
    await page.keyboard.press("Escape")
    await question.waitFor({ state: "detached" })
    await untilFocused(opener)
    await page.keyboard.press("Enter")
    await press(page, button(question, "Cancel"))
    await question.waitFor({ state: "detached" })
    await untilFocused(opener)
  })

  it("opens a payment from the order's page", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    const card = page.getByTestId("order-crypto-payment")
    await press(page, card.getByRole("link", { name: "20.01 USD" }))
    await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${payment.id}`))
  })

  it("edits the settings", async () => {
    const settings = new Settings(store)
    try {
      const page = await admin.visit("/settings/crypto-payments")
      const opener = button(page, "Edit connection")
      await press(page, opener)
      const drawer = page.getByRole("dialog")
      await untilFocused(drawer.getByLabel("Gateway address"))
      await type(page, drawer.getByLabel("Timeout"), "9400")
      await leaveAsked(page)
      await untilFocused(opener)
      await page.keyboard.press("Enter")
      await type(page, drawer.getByLabel("Timeout"), "9400")
      await page.keyboard.press("Enter")
      await page.getByText("9400").waitFor()
      expect(await settings.read()).toMatchObject({ fields: { timeout_ms: { value: 9400 } } })
      await press(page, button(page, "Edit checkout"))
      await page.getByRole("dialog").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await untilFocused(button(page, "Edit checkout"))
    } finally {
      await settings.restore()
    }
  })

  it("goes on at the heading of the card when a button of the settings is gone", async () => {
    const settings = new Settings(store)
    const checklist = (page: Page) => page.getByRole("heading", { name: "Setup checklist" })
    try {
      await settings.save({ secret_key: "rotated" })
      const page = await admin.visit("/settings/crypto-payments")
      const drop = button(page, "Stop accepting the former key")
      await press(page, drop)
      await drop.waitFor({ state: "detached" })
      await untilFocused(page.getByRole("heading", { name: "Connection", exact: true }))

      await settings.save({ payment_link_hosts: ["pay.example"] })
      await expect(payments.open()).rejects.toThrow()
      await page.reload()
      const allow = page.locator("[data-line='checkout']").getByRole("button")
      await press(page, allow)
      await allow.waitFor({ state: "detached" })
      await untilFocused(checklist(page))

      await settings.save({ auth: { type: "bearer", token: "wrong" } })
      await page.reload()
      const edit = page.locator("[data-line='connection']").getByRole("button")
      await press(page, edit)
      const drawer = page.getByRole("dialog")
      await type(page, drawer.getByLabel("Token"), setting.gateway.token)
      await page.keyboard.press("Enter")
      await drawer.waitFor({ state: "detached" })
      await edit.waitFor({ state: "detached" })
      await untilFocused(checklist(page))
    } finally {
      await settings.restore()
      await payments.open()
    }
  })

  it.each([
    ["/crypto-payments/balances", "Refresh", "/admin/crypto-payments/balances"],
    ["/crypto-payments", "Download CSV", "/admin/crypto-payments/export"],
    ["/crypto-payments/settlements", "Totals (CSV)", "/admin/crypto-payments/settlements/export"],
    ["/crypto-payments/checks", "Run now: Gateway and store", "/admin/crypto-payments/reconciliation"],
    ["/crypto-payments/checks", "Run now: Payments, orders and refunds", "/admin/crypto-payments/audit"],
  ])("on %s presses %s", async (path, name, route) => {
    const page = await admin.visit(path)
    await tabTo(page, button(page, name))
    const asked = page.waitForResponse((response) => response.url().includes(route))
    await page.keyboard.press("Enter")
    expect((await asked).status()).toBe(200)
  })
})
