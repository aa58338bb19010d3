import { PAID_OK, UNPAID } from "../support/end-state"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { leaveToPay, orderLink, payButton, press, sees } from "./support/shop"
import { setting } from "./support/store"

describeShop("a shopper", ({ shoppers, store, cartOf, endOf }) => {
  it("pays and has an order", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "pay")
    await sees(page, "paid")
    await orderLink(page).click()
    await page.locator(".order[data-state=paid]").waitFor()
    expect(await endOf(shopper)).toEqual(PAID_OK)
  })

  it("declines, and is shown the way back to the payment page, where paying still counts", async () => {
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
    await later.locator(".order[data-state=paid]").waitFor()
  })

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

  it("opens an order that does not exist, and is told so", async () => {
    const page = await (await shoppers.another()).open("/order/order_none")
    await page.getByText("There is no such order.").waitFor()
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

  it("pays, nobody is told, and coming back is enough", async () => {
    const shopper = await shoppers.another()
    const { page } = await shopper.goToPayment()
    await press(page, "lost")
    await sees(page, "paid")
    expect(await endOf(shopper)).toEqual(PAID_OK)
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

  it("is told when the gateway is down at the start, and pays when it is back", async () => {
    const shopper = await shoppers.another()
    const page = await shopper.fillCart()
    await store.gateway.fail({ endpoint: "create", kind: "status", status: 503 })
    await payButton(page).click()
    const error = page.getByRole("alert").filter({ hasText: "Crypto payments are temporarily unavailable." })
    await error.waitFor()
    // The shop has no other way to pay, so none is named.
    expect(await error.innerText()).toMatch(/Nothing was charged\. Try again in a minute\.$/)
    expect(await accessibilityFaults(page)).toEqual([])
    await store.gateway.recover()
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await endOf(shopper)).toMatchObject({ captures: ["20.01"], orders: 1, transactions: ["20.01"] })
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

  it("closes the tab, the gateway notifies and is down when it is asked, and the schedule places the order", async () => {
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

  it.each([["en"], ["ar"]] as const)("has a header of one line on a phone, in %s", async (language) => {
    const page = await (await shoppers.another({ language })).open("/")
    await page.locator(".price", { hasText: /\d/ }).waitFor()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const middles = await page
        .locator(".bar .brand, .bar select, .bar .plain, .bar .to-cart")
        .evaluateAll((parts) =>
          parts.map((part) => {
            const { top, height } = part.getBoundingClientRect() as { top: number; height: number }
            return Math.round(top + height / 2)
          })
        )
      expect(middles).toHaveLength(4)
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
    }
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each([["en"], ["ar"]] as const)(
    "finds its payment in the sandbox's list, unbroken, in %s",
    async (language) => {
      const shopper = await shoppers.another({ language })
      const { page, paymentRequestId } = await shopper.goToPayment()
      await page.goto(setting.gateway.url)
      await page.getByRole("link", { name: paymentRequestId }).waitFor()
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        const lines = await page.locator("td .num, td .status").evaluateAll((parts) =>
          parts.map((part) => {
            const style = part.ownerDocument.defaultView?.getComputedStyle(part)
            return Math.round(part.getBoundingClientRect().height / parseFloat(style?.lineHeight ?? ""))
          })
        )
        expect(new Set(lines)).toEqual(new Set([1]))
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      }
    }
  )

  it("does it all in Arabic", async () => {
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

  /** Where the gateway sends who has paid. */
  async function returnUrl(paymentRequestId: string): Promise<string> {
    const row = await store
      .knex<{ session_id: string; payment_request_id: string }>("crypto_payment_request")
      .where({ payment_request_id: paymentRequestId })
      .first("session_id")
    return `${setting.shopUrl}/checkout/return?session_id=${row?.session_id ?? ""}`
  }
})
