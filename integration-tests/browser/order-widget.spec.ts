import type { Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import { OrderChanges } from "../support/order-changes"
import { accessibilityFaults, choose } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import type { MadePayment } from "./support/payments"
import { Settings } from "./support/settings"

const WIDGET = "[data-testid='order-crypto-payment']"

type Placed = Pick<MadePayment, "id" | "orderId">

describeAdmin("the crypto payment on an order's page", ({ admin, payments, store }) => {
  /** Only looked at. */
  let paid: MadePayment
  beforeAll(async () => {
    paid = await payments.paid({ coin: "BTC" })
  })

  const widget = (page: Page) => page.locator(WIDGET)

  /** An order that was paid with Medusa's own manual provider. */
  const otherOrder = async (): Promise<string> => {
    const cartId = await store.shopper.cart()
    const collectionId = await store.shopper.collection(cartId)
    await store.shopper.post(`/payment-collections/${collectionId}/payment-sessions`, {
      provider_id: "pp_system_default",
    })
    const { data } = await store.shopper.complete(cartId)
    return (data as { order: { id: string } }).order.id
  }

  /** Placed before it is paid, as a store can be set up. */
  const unpaidOrder = async (): Promise<MadePayment> => {
    const settings = new Settings(store)
    await settings.save({ order_placement: "before_payment" })
    try {
      return await payments.ordered()
    } finally {
      await settings.restore()
    }
  }

  /** Captured with less than was asked for, on a draft order that was converted. */
  const underpaidOrder = async (): Promise<Placed> => {
    const { id } = await payments.mismatched()
    const changes = new OrderChanges(store)
    const { order_id } = await changes.must(`/crypto-payments/${id}/draft-order`)
    await changes.must(`/draft-orders/${String(order_id)}/convert-to-order`)
    return { id, orderId: String(order_id) }
  }

  /** The order's page, as it is with this case of its payment. */
  const pageWithCase = async ({ id, orderId }: Placed, attention_reason?: string): Promise<Page> => {
    const row = store.knex("crypto_payment_request").where({ id })
    const before = await row.clone().first("attention_reason", "attention_since", "attention_amount")
    if (attention_reason !== undefined) {
      await row.clone().update({ attention_reason, attention_since: new Date(), attention_amount: null })
    }
    try {
      const page = await admin.visit(`/orders/${String(orderId)}`)
      await widget(page).getByText("What to do").waitFor()
      await widget(page)
        .getByText(/^The order still owes/)
        .waitFor()
      await widget(page).getByRole("article").getByRole("button", { name: "More actions" }).waitFor()
      return page
    } finally {
      await row.clone().update(before)
    }
  }

  /** The kit has no other mark for it than its colour. */
  const primaryButtons = async (page: Page): Promise<string[]> =>
    await widget(page).locator("button.bg-ui-button-inverted").allInnerTexts()

  it("shows amount, coin, fee, net and reference, and no link of what is paid", async () => {
    const page = await admin.visit(`/orders/${String(paid.orderId)}`)
    await widget(page)
      .getByText(`Order #${String(paid.displayId)} placed`)
      .waitFor()
    const shown = await widget(page).innerText()
    expect(shown).toMatch(/PAID[^]*20\.01 USD[^]*BTC[^]*0\.2001 USD[^]*paid by you[^]*19\.8099 USD[^]*REF\d+/)
    expect(shown).not.toContain("/pay/")
  })

  it("shows no error to a role that may read orders and not payments @deep", async () => {
    const page = await admin.visit("/orders")
    const asked = page.waitForResponse("**/admin/crypto-payments?**order_id**")
    await page.route("**/admin/crypto-payments?**", async (route) => {
      await route.fulfill({ status: 403, json: { type: "forbidden", message: "Forbidden" } })
    })
    await page.goto(page.url().replace("/orders", `/orders/${String(paid.orderId)}`))
    await (await asked).finished()
    await page.getByRole("heading", { name: en.widget.title }).waitFor({ state: "detached" })
    await page.getByRole("heading", { name: `#${String(paid.displayId)}` }).waitFor()
    expect(await page.getByText(en.problems.forbidden).count()).toBe(0)
  })

  it.each(["en", "ar"] as const)(
    "leaves core's page as it is when it fails, and says what to do: %s",
    async (language) => {
      const page = await admin.visit("/orders", { language })
      // What no answer of the store is: the widget fails while it draws.
      await page.route("**/admin/crypto-payments?**order_id**", async (route) => {
        await route.fulfill({ json: { crypto_payments: [null], count: 1, limit: 20, offset: 0 } })
      })
      await page.goto(page.url().replace("/orders", `/orders/${String(paid.orderId)}`))
      const words = { en, ar }[language]
      await page.getByText(words.common.fault).waitFor()
      await page.getByRole("heading", { name: `#${String(paid.displayId)}` }).waitFor()
      await page.unroute("**/admin/crypto-payments?**order_id**")
    }
  )

  it.each([
    ["the order's page", ({ orderId }: MadePayment) => `/orders/${String(orderId)}`],
    ["the payment's page", ({ id }: MadePayment) => `/crypto-payments/${id}`],
  ])("gives the link of an order that is not paid yet, on %s", async (_page, pathOf) => {
    const payment = await unpaidOrder()
    const page = await admin.visit(pathOf(payment))
    await page.getByRole("button", { name: "Copy pay page" }).waitFor()
    await choose(page.locator("main"), "Copy payment link")
    await page.getByText("Payment link copied", { exact: true }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(
      new RegExp(`/pay/${payment.paymentRequestId}$`)
    )
  })

  it("gives the link of what a paid order owes once an edit is confirmed on the page", async () => {
    const payment = await payments.paid()
    const edit = await new OrderChanges(store).beginRaise(payment.orderId ?? "")
    await store.asAdmin.post(`${edit}/request`)
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByRole("button", { name: "Register refund" }).waitFor()
    expect(await widget(page).getByRole("button", { name: "Copy pay page" }).count()).toBe(0)
    await page.getByRole("button", { name: "Force confirm" }).click()
    const owed = widget(page).getByText("The order still owes 15.01 USD.")
    await choose(owed.locator("xpath=.."), "Copy payment link")
    await page.getByText("Payment link copied", { exact: true }).waitFor()
    const link = await page.evaluate<string>("navigator.clipboard.readText()")
    expect(link).toMatch(/\/pay\//)
    expect(link).not.toContain(payment.paymentRequestId)
  })

  it("gives no link to pay once more what is paid", async () => {
    const page = await admin.visit(`/orders/${String(paid.orderId)}`)
    await widget(page).getByRole("button", { name: "Register refund" }).waitFor()
    expect(await page.getByRole("button", { name: "Copy pay page" }).count()).toBe(0)
  })

  it.each(["partly_paid", "order_not_canceled"])(
    "begins with what an order owes and its pay page, which the case does not give as well: %s @deep",
    async (attention_reason) => {
      const payment = await unpaidOrder()
      const page = await pageWithCase(payment, attention_reason)
      const order = /The order still owes 20\.01 USD\.[^]*Copy pay page[^]*What to do[^]*Check now/
      expect(await widget(page).innerText()).toMatch(order)
      expect(await primaryButtons(page)).toEqual(["Copy pay page"])
      await widget(page).getByRole("button", { name: "More actions" }).last().click()
      expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Resolve"])
    }
  )

  it("says once what an underpaid order owes, and its pay page is the primary button", async () => {
    const page = await pageWithCase(await underpaidOrder())
    const shown = await widget(page).innerText()
    expect(shown).toMatch(/The order still owes 15\.01 USD\.[^]*Copy pay page[^]*What to do[^]*Check now/)
    expect(shown.match(/15\.01 USD/g)).toHaveLength(1)
    expect(await primaryButtons(page)).toEqual(["Copy pay page"])
    await widget(page).getByRole("button", { name: "More actions" }).last().click()
    expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Register refund", "Resolve"])
  })

  it("offers no pay page while a case says that money may have arrived: its step is the primary button", async () => {
    const page = await pageWithCase(await underpaidOrder(), "duplicate_payment")
    expect(await widget(page).innerText()).toMatch(/The order still owes 15\.01 USD\.[^]*What to do/)
    expect(await primaryButtons(page)).toEqual(["Register refund"])
    expect(await widget(page).getByRole("button", { name: "Copy pay page" }).count()).toBe(0)
  })

  it("registers a refund, and the order knows of it", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByRole("button", { name: "Register refund" }).click()
    await page.getByRole("textbox", { name: "Reference" }).fill("ticket 77")
    // The amount comes with the payment, which the drawer reads.
    await page.getByText("can be registered").waitFor()
    await page.getByRole("dialog").getByRole("button", { name: "Register refund" }).click()
    await widget(page).getByText("Refunded", { exact: true }).first().waitFor()
    const transactions = await store
      .knex<{ amount: string; order_id: string }>("order_transaction")
      .where("order_id", String(payment.orderId))
      .orderBy("created_at")
    expect(transactions.map(({ amount }) => Number(amount))).toEqual([20.01, -20.01])
  })

  it("leads to the payment's own page @deep", async () => {
    const page = await admin.visit(`/orders/${String(paid.orderId)}`)
    await widget(page).getByRole("link", { name: "20.01 USD" }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${paid.id}`))
  })

  it("is one card: open cases, then the payment that counts, with earlier attempts closed", async () => {
    const payment = await payments.paid()
    const [row] = await store
      .knex<Record<string, unknown>>("crypto_payment_request")
      .where({ id: payment.id })
    const copy = (name: string, columns: Record<string, unknown>) => ({
      ...row,
      id: `cpreq_${name}`,
      payment_request_id: name,
      paid_session_id: null,
      session_ids: [],
      next_check_at: null,
      ...columns,
    })
    const unpaid = {
      paid_at: null,
      captured_at: null,
      settled_at: null,
      payment_amount: null,
      fee_amount: null,
    }
    await store.knex("crypto_payment_request").insert([
      copy("widget_failed", { ...unpaid, state: "closed", payment_request_id: null }),
      copy("widget_replaced", { ...unpaid, state: "superseded" }),
      copy("widget_case", {
        state: "paid",
        attention_reason: "duplicate_payment",
        attention_since: new Date(),
      }),
    ])
    try {
      const page = await admin.visit(`/orders/${String(payment.orderId)}`)
      await widget(page).getByText("2 earlier attempts").waitFor()
      expect(await widget(page).count()).toBe(1)
      const shown = await widget(page)
        .getByRole("article")
        .evaluateAll((articles) => articles.map((article) => article.getAttribute("aria-label")))
      expect(shown).toEqual(["cpreq_widget_case", payment.id])
      await widget(page).getByText("2 earlier attempts").click()
      await widget(page).getByText("Link failed").waitFor()
      await widget(page).getByText("Not offered any more").waitFor()
      expect(await accessibilityFaults(page, WIDGET)).toEqual([])
    } finally {
      await store.knex("crypto_payment_request").where("id", "like", "cpreq_widget_%").delete()
    }
  })

  it("has no row for what there is not @deep", async () => {
    const payment = await unpaidOrder()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByText("Awaiting payment").waitFor()
    const facts = await widget(page).locator("dt").allInnerTexts()
    expect(facts).not.toEqual(expect.arrayContaining(["Fee"]))
    expect(facts).toEqual(expect.arrayContaining(["Amount requested"]))
  })

  it("offers the link of an order that is to be paid by bank transfer, and goes once it was @deep", async () => {
    const orderId = await otherOrder()
    const page = await admin.visit(`/orders/${orderId}`)
    await widget(page).getByRole("button", { name: "Copy pay page" }).waitFor()
    const { data } = await store.asAdmin.get(`/orders/${orderId}?fields=payment_collections.payments.id`)
    const paymentId = String(data.order.payment_collections[0].payments[0].id)
    expect((await store.asAdmin.post(`/payments/${paymentId}/capture`)).status).toBe(200)
    await page.reload()
    await page.getByRole("heading", { name: "Summary" }).waitFor()
    // The card would be drawn after the last of several answers.
    await page.waitForLoadState("networkidle")
    expect(await widget(page).count()).toBe(0)
  })

  it("gives the link of an order that a merchant has made and nobody has paid", async () => {
    const page = await admin.visit(`/orders/${await payments.madeByMerchant()}`)
    await widget(page)
      .getByText(/^The order still owes [\d.]+ USD\.$/)
      .waitFor()
    await choose(widget(page), "Copy payment link")
    await page.getByText("Payment link copied", { exact: true }).waitFor()
    await widget(page).getByRole("button", { name: "Check now" }).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toMatch(/\/pay\//)
  })

  it("speaks Arabic @deep", async () => {
    const page = await admin.visit(`/orders/${String(paid.orderId)}`, { language: "ar" })
    await widget(page).getByText("دفعة بالعملات المشفرة", { exact: true }).waitFor()
    await widget(page).locator("section li").first().waitFor()
    expect(await accessibilityFaults(page, WIDGET)).toEqual([])
  })

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s @deep", async (theme) => {
    const page = await admin.visit(`/orders/${String(paid.orderId)}`, { theme })
    await widget(page)
      .getByText(`Order #${String(paid.displayId)} placed`)
      .waitFor()
    expect(await accessibilityFaults(page, WIDGET)).toEqual([])
  })
})
