import { PAID_OK, UNPAID } from "../support/end-state"
import { waitUntil } from "../support/wait-until"
import { describeShop } from "./support/describe-shop"
import { leaveToPay, orderLink, payButton, press, sees } from "./support/shop"
import { setting } from "./support/store"

describeShop("a shopper who comes back, or has several tabs", ({ shoppers, store, cartOf, endOf }) => {
  it.each([
    ["buys one more", "/checkout", "One more"],
    ["adds to the cart", "/", "Add to cart"],
  ])("pays in another tab, %s here, and is shown that it is paid", async (_, path, button) => {
    const shopper = await shoppers.another()
    const { paymentRequestId } = await shopper.goToPayment()
    const here = await shopper.open(path)
    const change = here.getByRole("button", { name: button })
    await change.and(here.locator(":enabled")).waitFor()
    await store.gateway.pay(paymentRequestId)
    await change.click()
    await sees(here, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("pays once from two tabs: both have the same link, and the second finds it paid", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    const [second, third] = [await shopper.open("/checkout"), await shopper.open("/checkout")]
    expect(await leaveToPay(second)).toBe(paymentRequestId)
    await payButton(third).waitFor()
    await press(page, "pay")
    await sees(page, "paid")
    await payButton(third).click()
    await sees(third, "paid")
    const { sessions, ...state } = await endOf(shopper)
    const { sessions: _one, ...paidOnce } = PAID_OK
    expect(state).toEqual(paidOnce)
    expect(sessions).toContain("authorized")
  })

  it("is told that it takes longer, and then that it is paid", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await store.gateway.setStatus(paymentRequestId, "PENDING")
    await page.clock.install()
    await page.goto(await returnUrl(paymentRequestId))
    await sees(page, "waiting")
    await page.clock.runFor(40_000)
    await sees(page, "delayed")
    await store.gateway.pay(paymentRequestId, { notify: true })
    await endOf(shopper)
    // A question may have been under way when the clock ran; the next one is seconds later.
    await waitUntil(
      async () => {
        await page.clock.runFor(5000)
        return await page.locator(".crypto-pay-panel").getAttribute("data-view")
      },
      (view) => view === "paid"
    )
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("pays a part, is asked for the rest on the same payment page, and pays it there", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await press(page, "part")
    await sees(page, "partial")
    await page.getByRole("link", { name: "Pay the rest" }).click()
    await page.waitForURL(`**/pay/${paymentRequestId}`)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("keeps its order in view when the browser remembers nothing and the shop has emptied the cart", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await page.addInitScript(`
      const { getItem } = Storage.prototype
      Storage.prototype.getItem = function (key) {
        return key === "medusa-payment-crypto" ? null : getItem.call(this, key)
      }`)
    await press(page, "pay")
    await sees(page, "paid")
    await orderLink(page).waitFor()
    // Whatever the page asks without its cart has been answered.
    await page.waitForLoadState("networkidle")
    expect(await orderLink(page).count()).toBe(1)
  })

  it("opens the way back again, and it says the same", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "pay")
    await sees(page, "paid")
    await page.reload()
    await orderLink(page).waitFor()
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("opens the way back without having paid, and nothing becomes paid", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.clock.install()
    await page.goto(`${await returnUrl(paymentRequestId)}&status=PAID`)
    await sees(page, "waiting")
    await page.clock.runFor(40_000)
    await sees(page, "unpaid")
    // The payer's return makes the plugin read the gateway, in addition to the page.
    await waitUntil(
      async () =>
        await store
          .knex("crypto_payment_request")
          .where({ payment_request_id: paymentRequestId })
          .first("last_checked_at", "lease_until"),
      ({ last_checked_at, lease_until }) => last_checked_at !== null && lease_until === null
    )
    expect(await endOf(shopper, () => true)).toEqual(UNPAID)
  })

  it("sees in another browser that it is paid, and no order", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "pay")
    await sees(page, "paid")
    const elsewhere = await (await shoppers.another()).open(page.url())
    await sees(elsewhere, "paid")
    expect(await orderLink(elsewhere).count()).toBe(0)
  })

  it("with somebody else's id keeps the own cart and sees no order", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "pay")
    await sees(page, "paid")
    const other = await shoppers.another()
    await other.fillCart()
    const elsewhere = await other.open(page.url())
    await sees(elsewhere, "paid")
    expect(await orderLink(elsewhere).count()).toBe(0)
    expect(await elsewhere.evaluate(`localStorage.getItem("coffee-shop-cart")`)).toBe(await cartOf(other))
  })

  it("is told that nobody knows an unknown id", async () => {
    const shopper = await shoppers.another()
    await sees(await shopper.open("/checkout/return?session_id=payses_unknown"), "unknown")
    await sees(await shopper.open("/checkout/return"), "unknown")
  })

  it("is told that the payment cannot be shown when the store refuses to answer", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.route("**/store/crypto-payments/**", async (route) => {
      await route.fulfill({ response: await route.fetch(), status: 401 })
    })
    await page.goto(await returnUrl(paymentRequestId))
    await sees(page, "unknown")
    await page.getByRole("heading", { name: "We cannot show this payment" }).waitFor()
  })

  /** Where the gateway sends who has paid. */
  async function returnUrl(paymentRequestId: string): Promise<string> {
    const row = await store
      .knex<{ session_id: string; payment_request_id: string }>("crypto_payment_request")
      .where({ payment_request_id: paymentRequestId })
      .first("session_id")
    return `${setting.shopUrl}/checkout/return?session_id=${row?.session_id ?? ""}`
  }
})
