import type { Page } from "playwright-core"
import { describeShop } from "../browser/support/describe-shop"
import { Payments } from "../browser/support/payments"
import { leaveToPay, payButton, press, sees, showsOrder } from "../browser/support/shop"
import { setting } from "../browser/support/store"
import { type EndState, PAID_OK, readCollectionEnd } from "../support/end-state"
import { guestAddress } from "../support/shopper"
import {
  addToCart,
  changeCart,
  goToPayment,
  goToPaymentStep,
  goToReview,
  register,
  whenAlive,
} from "./shopper"

const seesOrder = async (page: Page): Promise<void> => {
  await page.waitForURL(/\/us\/order\/order_\w+\/confirmed/)
  await page.getByTestId("order-complete-container").waitFor()
}

describeShop("a shopper in Medusa's starter", ({ shoppers, store, endOf, cartOf }) => {
  it("buys a product, pays, and gets to the order in the country it goes to", async () => {
    const shopper = await shoppers.another()
    const { page } = await goToPayment(shopper)
    await press(page, "pay")
    await seesOrder(page)
    expect(await endOf(shopper)).toEqual(PAID_OK)
    await page.getByTestId("nav-cart-link").filter({ hasText: "(0)" }).waitFor()
  })

  it.each(["opens the checkout again", "reloads it", "goes back"])(
    "pays by phone, %s, and sees the order",
    async (how) => {
      const shopper = await shoppers.another()
      const page = await goToReview(shopper)
      const checkout = page.url()
      const paymentRequestId = await leaveToPay(page)
      if (how === "reloads it") {
        await page.goto(checkout)
      }
      await store.gateway.pay(paymentRequestId, { notify: true })
      expect(await endOf(shopper)).toEqual(PAID_OK)
      await (how === "goes back" ? page.goBack() : how === "reloads it" ? page.reload() : page.goto(checkout))
      if (how === "goes back" && (await payButton(page).isVisible())) {
        // The browser has kept the page as it was.
        await (await whenAlive(payButton(page))).click()
      }
      await seesOrder(page)
    }
  )

  it("pays, closes the browser, and buys again", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await goToPayment(shopper)
    await page.close()
    await store.gateway.pay(paymentRequestId, { notify: true })
    expect(await endOf(shopper)).toEqual(PAID_OK)
    const later = await shopper.open("/us/products/coffee")
    await addToCart(later)
  })

  it("pays, closes the browser, and finds the order in the account", async () => {
    const shopper = await shoppers.another()
    const account = await register(shopper)
    // What is kept of this page is seen again below.
    await account.goto(new URL("/us/account/orders", account.url()).href)
    await account.getByTestId("no-orders-container").waitFor()
    const { page, paymentRequestId } = await goToPayment(shopper)
    await page.close()
    await store.gateway.pay(paymentRequestId, { notify: true })
    expect(await endOf(shopper)).toEqual(PAID_OK)
    const orders = await shopper.open("/us/account/orders")
    await orders.getByTestId("order-card").waitFor()
  })

  it.each([0, 5000])("goes back after %i ms, and pays on the same link", async (ms) => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await goToPayment(shopper)
    await page.waitForTimeout(ms)
    await page.goBack()
    await whenAlive(payButton(page))
    expect(await leaveToPay(page)).toBe(paymentRequestId)
    await press(page, "pay")
    await seesOrder(page)
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("pays in one of two tabs, and the other one leads to the order", async () => {
    const shopper = await shoppers.another()
    const first = await goToReview(shopper)
    const second = await shopper.open("/us/checkout?step=review")
    await whenAlive(payButton(second))
    await leaveToPay(first)
    await press(first, "pay")
    await seesOrder(first)
    await payButton(second).click()
    await seesOrder(second)
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("declines, stays in the country, tries again and pays", async () => {
    const shopper = await shoppers.another()
    const { page } = await goToPayment(shopper)
    await press(page, "decline")
    await sees(page, "unpaid")
    expect(new URL(page.url()).pathname).toBe("/us/checkout/return")
    await page.getByRole("link", { name: "Try again" }).click()
    await press(page, "pay")
    await seesOrder(page)
    expect(await endOf(shopper)).toMatchObject({ captures: ["20.01"], transactions: ["20.01"] })
    const cart = await store
      .knex("cart")
      .where({ id: await cartOf(shopper) })
      .first("currency_code")
    expect(cart).toEqual({ currency_code: "usd" })
  })

  it("finds the link expired, pays on another one, and a payment on the former is a case", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await goToPayment(shopper)
    await store.gateway.setStatus(paymentRequestId, "EXPIRED")
    const row = store.knex("crypto_payment_request").where({ payment_request_id: paymentRequestId })
    await row.clone().update({ next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await row.clone().first("gateway_status")).toEqual({ gateway_status: "EXPIRED" })
    await page.goto(new URL("/us/checkout?step=review", setting.shopUrl).href)
    await whenAlive(payButton(page))
    expect(await leaveToPay(page)).not.toBe(paymentRequestId)
    await press(page, "pay")
    await seesOrder(page)
    const paidOnce = { captures: ["20.01"], orders: 1, transactions: ["20.01"] }
    expect(await endOf(shopper)).toMatchObject(paidOnce)
    await store.gateway.pay(paymentRequestId, { notify: true })
    const isCase = ({ ledger }: EndState): boolean => ledger.some(({ attention }) => attention !== null)
    expect(await endOf(shopper, isCase)).toMatchObject({
      ...paidOnce,
      ledger: [
        { state: "paid", settled: false, attention: "duplicate_payment" },
        { state: "captured", settled: true, attention: null },
      ],
    })
  })

  it("pays in dirhams, with a name and an address in Arabic letters", async () => {
    const shopper = await shoppers.another({ language: "ar" })
    const written = {
      first_name: "عائشة",
      last_name: "بنت عبد الرحمن",
      address_1: "١ شارع الخور، شقة ٤",
      postal_code: "00000",
      city: "دبي",
    }
    const page = await goToReview(shopper, { country: "ae", written })
    await leaveToPay(page)
    await press(page, "pay")
    await page.waitForURL(/\/ae\/order\/order_\w+\/confirmed/)
    await page.getByText(`${written.first_name} ${written.last_name}`).waitFor()
    expect(await endOf(shopper)).toMatchObject({ captures: ["73.50"], orders: 1, transactions: ["73.50"] })
    const [orderId] = /order_\w+/.exec(page.url()) ?? []
    const fields = "currency_code,*shipping_address,payment_collections.payments.currency_code"
    const { data } = await store.asAdmin.get(`/orders/${String(orderId)}?fields=${fields}`)
    expect(data.order).toMatchObject({
      currency_code: "aed",
      shipping_address: written,
      payment_collections: [{ payments: [{ currency_code: "aed" }] }],
    })
  })

  it("comes back, buys one more, and pays the new total on a new link", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await goToPayment(shopper)
    await page.goto(new URL("/us/cart", setting.shopUrl).href)
    const quantity = await whenAlive(page.getByTestId("product-select-button"))
    await changeCart(page, async () => await quantity.selectOption("2"))
    await page.locator("[data-testid=cart-total][data-value='35.02']").waitFor()
    await page.goto(new URL("/us/checkout?step=payment", setting.shopUrl).href)
    await whenAlive(page.getByTestId("submit-payment-button"))
    await page.getByText("Crypto", { exact: true }).click()
    await page.getByTestId("submit-payment-button").click()
    expect(await leaveToPay(page)).not.toBe(paymentRequestId)
    await press(page, "pay")
    await seesOrder(page)
    expect(await endOf(shopper)).toMatchObject({ captures: ["35.02"], orders: 1, transactions: ["35.02"] })
  })

  it("is told at the payment step when the gateway is down, and pays when it is back", async () => {
    const shopper = await shoppers.another()
    const page = await goToPaymentStep(shopper)
    await store.gateway.fail({ endpoint: "create", kind: "status", status: 503 })
    await page.getByTestId("submit-payment-button").click()
    await page.getByText("Crypto payments are temporarily unavailable.").waitFor()
    await store.gateway.recover()
    await page.getByTestId("submit-payment-button").click()
    await leaveToPay(page)
    await press(page, "pay")
    await seesOrder(page)
    expect(await endOf(shopper)).toMatchObject({ captures: ["20.01"], orders: 1, transactions: ["20.01"] })
  })

  it("is offered crypto as soon as a region has it, and not any more once it has not", async () => {
    const shopper = await shoppers.another()
    const region = `/regions/${store.seeded.regions.usd}`
    const offers = async (payment_providers: string[]): Promise<void> => {
      expect((await store.asAdmin.post(region, { payment_providers })).status).toBe(200)
    }
    const page = await goToPaymentStep(shopper)
    await offers(["pp_system_default"])
    await page.reload()
    await page.getByText("Manual Payment").waitFor()
    expect(await page.getByText("Crypto", { exact: true }).count()).toBe(0)
    await offers(["pp_crypto_default", "pp_system_default"])
    await page.reload()
    await page.getByText("Crypto", { exact: true }).waitFor()
  })

  it("pays an order of the merchant's at the address that Medusa's own \"Copy payment link\" copies", async () => {
    const orderId = await new Payments(store).madeByMerchant()
    const { data } = await store.asAdmin.post("/payment-collections", { order_id: orderId, amount: 15.01 })
    const collectionId = String(data.payment_collection.id)
    const shopper = await shoppers.another()
    const page = await shopper.open(`/payment-collection/${collectionId}?order_id=${orderId}`)
    await showsOrder(page, "to_pay", "15.01 USD")
    await whenAlive(payButton(page))
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await readCollectionEnd(store.knex, collectionId)).toMatchObject({ captures: ["15.01"] })
    const order = await store.asAdmin.get(`/orders/${orderId}?fields=payment_status`)
    expect(order.data.order.payment_status).toBe("captured")
  })

  it("pays an order of the merchant's as its customer, and keeps the cart", async () => {
    const shopper = await shoppers.another()
    await register(shopper)
    const orderId = await new Payments(store).madeByMerchant({
      email: shopper.email,
      shipping_address: guestAddress("usd"),
    })
    const { data } = await store.asAdmin.post("/payment-collections", { order_id: orderId, amount: 15.01 })
    const page = await shopper.open("/us/products/coffee")
    await addToCart(page)
    const address = `/us/payment-collection/${String(data.payment_collection.id)}?order_id=${orderId}`
    await page.goto(new URL(address, setting.shopUrl).href)
    await whenAlive(payButton(page))
    await leaveToPay(page)
    await press(page, "pay")
    await page.waitForURL(`**/us/order/${orderId}/confirmed`)
    // The starter's page of an order fails without a delivery.
    await page.goto(new URL("/us/cart", setting.shopUrl).href)
    await page.getByTestId("nav-cart-link").filter({ hasText: "(1)" }).waitFor()
  })

  it("pays on a phone", async () => {
    const shopper = await shoppers.another()
    const page = await goToReview(shopper)
    await page.setViewportSize({ width: 390, height: 844 })
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390)
    await leaveToPay(page)
    await press(page, "decline")
    await sees(page, "unpaid")
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(390)
  })
})
