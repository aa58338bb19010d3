import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { leaveToPay, payButton, press, sees, showsOrder, type ShopperBrowser } from "./support/shop"
import { setting } from "./support/store"

const PROVIDER = "/crypto-payments/settings/pp_crypto_default"

describeShop("a shopper whose order is placed first", ({ shoppers, store, endOf, cartOf }) => {
  beforeAll(async () => {
    await save({ order_placement: "before_payment", unpaid_order_ttl_minutes: 30 })
  })
  afterAll(async () => {
    await save({ order_placement: null, unpaid_order_ttl_minutes: null })
  })

  it("has an unpaid order at the payment page, and pays it", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    expect(await endOf(shopper, ({ orders }) => orders === 1)).toMatchObject({
      collection: { captured: "0.00" },
      sessions: ["pending_authorization"],
      payments: [],
    })
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toMatchObject(CAPTURED_ONCE)
  })

  it("reads while it waits that the order will be marked as paid, because it is placed already", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
    await press(page, "pay")
    await sees(page, "waiting")
    await page.getByText("your order will be marked as paid once the payment is confirmed").waitFor()
    await store.gateway.recover()
    await page.locator(".crypto-pay-panel[data-view=paid]").waitFor({ timeout: 100_000 })
    expect(await endOf(shopper)).toMatchObject(CAPTURED_ONCE)
  })

  it("comes back to the order later and pays it on the same link", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.goto(`${setting.shopUrl}/order/${await orderOf(shopper)}`)
    await showsOrder(page, "to_pay")
    expect(await leaveToPay(page)).toBe(paymentRequestId)
    await press(page, "pay")
    await sees(page, "paid")
    await page.goto(`${setting.shopUrl}/order/${await orderOf(shopper)}`)
    await showsOrder(page, "paid")
    expect(await endOf(shopper)).toMatchObject(CAPTURED_ONCE)
  })

  it("declines, and is told that the order is kept and until when, down to the second", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    await press(page, "decline")
    await sees(page, "unpaid")
    const kept = page.locator(".crypto-pay-deadline")
    // With the date, if that is tomorrow.
    await kept.getByText(/^Your order is kept until (\w+ \d+, \d+, )?\d{1,2}:\d\d/).waitFor()
    await page.getByRole("link", { name: "See your order" }).click()
    await showsOrder(page, "to_pay")
    const timer = page.getByRole("timer")
    // Of half an hour; the seconds that the way here has taken are gone.
    await timer.getByText(/^2\d:\d\d$/).waitFor()
    const first = await timer.innerText()
    const later = await waitUntil(
      async () => await timer.innerText(),
      (text) => text !== first
    )
    expect(later < first).toBe(true)
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await endOf(shopper, ({ orders }) => orders === 1)).toMatchObject({ payments: [], captures: [] })
  })

  it("declines in Arabic, and is told the same", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment", language: "ar" })
    const { page } = await shopper.goToPayment()
    await press(page, "decline")
    await sees(page, "unpaid")
    await page
      .locator(".crypto-pay-deadline")
      .getByText(/نحتفظ بطلبك حتى .* الوقت المتبقي للدفع:/)
      .waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it("finds the way from the empty cart to the unpaid order", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    await page.goto(`${setting.shopUrl}/checkout`)
    await page.locator("a[href^='/order/']").click()
    await showsOrder(page, "to_pay")
  })

  it("presses Pay on the order's page after paying in another tab: it is told so, and pays once", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    const order = await shopper.open(`/order/${await orderOf(shopper)}`)
    await showsOrder(order, "to_pay")
    await press(page, "pay")
    await sees(page, "paid")
    await payButton(order).click()
    await sees(order, "paid")
    expect(await endOf(shopper)).toMatchObject(CAPTURED_ONCE)
  })

  it("pays after the order's time was over: it stays cancelled, and the shop is checking", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    await expire(shopper)
    const order = await shopper.open(`/order/${await orderOf(shopper)}`)
    await showsOrder(order, "canceled")
    await press(page, "pay")
    await sees(page, "review")
    expect(await endOf(shopper, ({ ledger }) => ledger[0]?.attention !== null)).toMatchObject({
      payments: [],
      captures: [],
      ledger: [{ attention: "paid_on_canceled" }],
    })
  })

  it("declines after the order's time was over: it is told that the order is cancelled, and not to try again", async () => {
    const shopper = await shoppers.another({ orderPlacement: "before_payment" })
    const { page } = await shopper.goToPayment()
    await expire(shopper)
    await press(page, "decline")
    await sees(page, "canceled")
    await page.getByRole("link", { name: "Back to the shop" }).waitFor()
    expect(await page.locator(".crypto-pay-button").count()).toBe(0)
    expect(await accessibilityFaults(page)).toEqual([])
    const end = await endOf(shopper, ({ orders }) => orders === 1)
    expect(end).toMatchObject({ payments: [], captures: [], ledger: [{ attention: null }] })
  })

  const CAPTURED_ONCE = {
    collection: { status: "completed", captured: "20.01" },
    payments: [{ captured: true, canceled: false }],
    captures: ["20.01"],
    orders: 1,
    transactions: ["20.01"],
    ledger: [{ state: "captured", settled: true, attention: null }],
  }

  async function save(fields: Record<string, unknown>): Promise<void> {
    const { asAdmin } = store
    const { data } = await asAdmin.get("/crypto-payments/settings")
    const answer = await asAdmin.post(PROVIDER, { version: data.settings[0]?.version, ...fields })
    expect(answer.status).toBe(200)
  }

  async function orderOf(shopper: ShopperBrowser): Promise<string> {
    const cart_id = await cartOf(shopper)
    const row = await store
      .knex<{ order_id: string; cart_id: string }>("order_cart")
      .where({ cart_id })
      .first("order_id")
    return row?.order_id ?? ""
  }

  /** As if the order had been placed, and its link been given out, an hour ago, and the job had run. */
  async function expire(shopper: ShopperBrowser): Promise<void> {
    const cart_id = await cartOf(shopper)
    const earlier = store.knex.raw("created_at - interval '1 hour'")
    await store
      .knex("order")
      .where({ id: await orderOf(shopper) })
      .update({ created_at: earlier })
    const [row] = await store
      .knex<{ id: string; cart_id: string; session_id: string }>("crypto_payment_request")
      .where({ cart_id })
      .update({ created_at: earlier } as never)
      .returning(["id", "session_id"])
    await store
      .knex("payment_session")
      .where({ id: row?.session_id ?? "" })
      .update({ created_at: earlier })
    const settled = await store.asAdmin.post(`/crypto-payments/${row?.id ?? ""}/settle`, {})
    expect(settled.status).toBe(200)
  }
})
