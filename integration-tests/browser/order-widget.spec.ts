import type { Page } from "playwright-core"
import { accessibilityFaults } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"

const WIDGET = "[data-testid='order-crypto-payment']"

describeAdmin("the crypto payment on an order's page", ({ admin, payments, store }) => {
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

  it("shows amount, coin, fee, net, reference and link", async () => {
    const payment = await payments.paid({ coin: "BTC" })
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByText("Settled").waitFor()
    const shown = await widget(page).innerText()
    expect(shown).toMatch(
      /PAID[^]*20\.01 USD[^]*BTC[^]*0\.2001 USD[^]*paid by you[^]*19\.8099 USD[^]*REF\d+[^]*\/pay\//
    )
  })

  it("copies the payment link", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByRole("button", { name: "Copy link" }).click()
    expect(await page.evaluate("navigator.clipboard.readText()")).toContain(payment.paymentRequestId)
  })

  it("registers a refund, and the order knows of it", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByRole("button", { name: "Register refund" }).click()
    await page.getByLabel("Reference").fill("ticket 77")
    await page.getByRole("dialog").getByRole("button", { name: "Register refund" }).click()
    await widget(page).getByText("Refunded", { exact: true }).waitFor()
    const transactions = await store
      .knex<{ amount: string; order_id: string }>("order_transaction")
      .where("order_id", String(payment.orderId))
      .orderBy("created_at")
    expect(transactions.map(({ amount }) => Number(amount))).toEqual([20.01, -20.01])
  })

  it("leads to the payment's own page", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`)
    await widget(page).getByRole("link", { name: "Open payment" }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/crypto-payments/${payment.id}`))
  })

  it("is not there on an order that was paid otherwise", async () => {
    const page = await admin.visit(`/orders/${await otherOrder()}`)
    const asked = page.waitForResponse((response) =>
      response.url().includes("/admin/crypto-payments?order_id=")
    )
    await page.reload()
    await (await asked).finished()
    await page.getByRole("heading", { name: "Summary" }).waitFor()
    expect(await widget(page).count()).toBe(0)
  })

  it("speaks Arabic", async () => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`, { language: "ar" })
    await widget(page).getByText("دفعة مشفرة").waitFor()
  })

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s", async (theme) => {
    const payment = await payments.paid()
    const page = await admin.visit(`/orders/${String(payment.orderId)}`, { theme })
    await widget(page).getByText("Settled").waitFor()
    expect(await accessibilityFaults(page, WIDGET)).toEqual([])
  })
})
