import { PAID_OK, UNPAID } from "../support/end-state"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { leaveToPay, orderLink, payButton, press, sees, showsOrder } from "./support/shop"

describeShop("a shopper", ({ shoppers, store, endOf }) => {
  it("pays and has an order", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "pay")
    await sees(page, "paid")
    await orderLink(page).click()
    await showsOrder(page, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("declines, and is shown the way back to the payment page, where paying still counts @deep", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "decline")
    await sees(page, "unpaid")
    await page.getByRole("link", { name: "Try again" }).click()
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("closes the tab, and has an order once paid all the same", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.close()
    await store.gateway.pay(paymentRequestId, { notify: true })
    expect(await endOf(shopper)).toEqual(PAID_OK)
    const later = await shopper.open("/checkout")
    await later.getByRole("link", { name: "See your order" }).click()
    await showsOrder(later, "paid")
  })

  it("opens an order that does not exist, and is told so", async () => {
    const page = await (await shoppers.another()).open("/order/order_none")
    await showsOrder(page, "unknown")
  })

  it("comes back by the browser's button, buys one more, and pays the new total on a new link", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.goBack()
    await page.getByRole("button", { name: "One more" }).click()
    await page.locator(".totals div:last-child", { hasText: "35.02" }).waitFor()
    expect(await leaveToPay(page)).not.toBe(paymentRequestId)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toMatchObject({
      collection: { status: "completed", captured: "35.02" },
      captures: ["35.02"],
      orders: 1,
      transactions: ["35.02"],
      ledger: [
        { state: "superseded", settled: false },
        { state: "captured", settled: true, attention: null },
      ],
    })
  })

  it("pays, nobody is told, and coming back is enough", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "lost")
    await sees(page, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("is told when the gateway is down at the start, and pays when it is back", async () => {
    const shopper = await shoppers.another()
    const page = await shopper.fillCart()
    await store.gateway.fail({ endpoint: "create", kind: "status", status: 503 })
    await payButton(page).click()
    const error = page.getByRole("alert").filter({ hasText: "Crypto payments are temporarily unavailable." })
    await error.waitFor()
    // The shop has no other way to pay, so none is named.
    expect(await error.innerText()).toMatch(/Otherwise, try again in a minute\.$/)
    expect(await accessibilityFaults(page)).toEqual([])
    await store.gateway.recover()
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toMatchObject({ captures: ["20.01"], orders: 1, transactions: ["20.01"] })
  })

  it("is kept from the payment page, as by the Esc key, and can press the button again", async () => {
    const page = await (await shoppers.another()).fillCart()
    await page.route("**/pay/**", async (route) => await route.fulfill({ status: 204 }))
    const asked = page.waitForRequest("**/pay/**")
    await payButton(page).click()
    await asked
    await page.locator(".crypto-pay-button.crypto-pay-wide[aria-busy=false]").waitFor()
    await page.unroute("**/pay/**")
    await leaveToPay(page)
  })

  it("waits when the gateway is down on the way back, and has the order when it is up again", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
    await press(page, "pay")
    await sees(page, "waiting")
    await store.gateway.recover()
    await page.locator(".crypto-pay-panel[data-view=paid]").waitFor({ timeout: 100_000 })
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("closes the tab, the gateway notifies and is down when it is asked, and the schedule places the order @deep", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.close()
    await store.gateway.fail({ endpoint: "read", kind: "status", status: 503 })
    await store.gateway.pay(paymentRequestId, { notify: true })
    const row = store.knex("crypto_payment_request").where({ payment_request_id: paymentRequestId })
    await waitUntil(
      async () => await row.clone().first("failure", "lease_until"),
      ({ failure, lease_until }) => failure === "unreadable" && lease_until === null
    )
    expect(await endOf(shopper, () => true)).toEqual(UNPAID)
    await store.gateway.recover()
    await row.clone().update({ next_check_at: new Date(0) })
    await store.runSchedule()
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("does it all in Arabic @deep", async () => {
    const shopper = await shoppers.another({ language: "ar" })
    const page = await shopper.fillCart()
    expect(await page.locator("html").getAttribute("dir")).toBe("rtl")
    await page.getByRole("button", { name: "الدفع بالعملات المشفرة" }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await leaveToPay(page)
    await press(page, "decline")
    await page.getByRole("heading", { name: "لم يتم الدفع بعد" }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole("link", { name: "حاول مرة أخرى" }).click()
    await press(page, "pay")
    await page.getByRole("heading", { name: "تم استلام الدفع" }).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })
})
