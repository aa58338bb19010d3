import type { Page } from "playwright-core"
import { readCollectionEnd, readEndState } from "../support/end-state"
import { OrderChanges } from "../support/order-changes"
import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { Payments, type MadePayment } from "./support/payments"
import { leaveToPay, orderLink, payButton, press, sees, showsOrder } from "./support/shop"
import { setting } from "./support/store"

describeShop("a shopper who looks at a paid order again", ({ shoppers, store }) => {
  const payments = new Payments(store)

  it("sees that a part was sent back, then all of it, and is never asked to pay", async () => {
    const payment = await payments.paid()
    const page = await openOrder(payment)
    await showsOrder(page, "paid")
    await sendBack(payment, "5.00")
    await page.reload()
    await showsOrder(page, "partially_refunded")
    expect(await payButton(page).count()).toBe(0)
    await sendBack(payment, "15.01")
    await page.reload()
    await showsOrder(page, "refunded")
    expect(await payButton(page).count()).toBe(0)
    await page.goto(`${setting.shopUrl}/checkout/return?session_id=${await sessionOf(payment)}`)
    await sees(page, "refunded")
    expect((await readEndState(store.knex, payment.cartId)).refunds).toEqual(["5.00", "15.01"])
  })

  it("sees that the payment is being confirmed as long as it is not captured, and no way to pay again", async () => {
    const payment = await payments.paid()
    const { payment_collection_id } = await store
      .knex("payment_session")
      .where({ id: await sessionOf(payment) })
      .first("payment_collection_id")
    const collection = store.knex("payment_collection").where({ id: payment_collection_id })
    const { status, captured_amount, raw_captured_amount } = await collection
      .clone()
      .first<Record<string, unknown>>()
    // As a process leaves it that dies between core's two steps.
    await collection
      .clone()
      .update({ status: "authorized", captured_amount: null, raw_captured_amount: null })
    try {
      const page = await openOrder(payment)
      await showsOrder(page, "waiting")
      expect(await payButton(page).count()).toBe(0)
    } finally {
      // The audit of this store would find it.
      await collection.clone().update({ status, captured_amount, raw_captured_amount })
    }
  })

  it("is asked for the rest when the merchant has added to the order, and pays it", async () => {
    const payment = await payments.paid()
    await new OrderChanges(store).raise(payment.orderId ?? "")
    const page = await openOrder(payment)
    await showsOrder(page, "rest_to_pay", "15.01 USD")
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    await page.goto(`${setting.shopUrl}/order/${String(payment.orderId)}`)
    await showsOrder(page, "paid")
    expect((await readEndState(store.knex, payment.cartId)).transactions).toEqual(["20.01", "15.01"])
  })

  it('is paid at the address that Medusa\'s own "Copy payment link" copies, and so is what an edit adds', async () => {
    const orderId = await payments.madeByMerchant()
    const { data } = await store.asAdmin.post("/payment-collections", { order_id: orderId, amount: 15.01 })
    const collectionId = String(data.payment_collection.id)
    const number = `#${String((await store.asAdmin.get(`/orders/${orderId}`)).data.order.display_id)}`
    const copied = `${setting.shopUrl}/payment-collection/${collectionId}?order_id=${orderId}`
    const page = await (await shoppers.another()).open(copied)
    await showsOrder(page, "to_pay", number, "15.01 USD")
    expect(await page.content()).not.toContain("phone@example.test")
    expect(await accessibilityFaults(page)).toEqual([])
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await readCollectionEnd(store.knex, collectionId)).toMatchObject({ captures: ["15.01"] })
    await page.goto(copied)
    await showsOrder(page, "paid", number)
    expect(await payButton(page).count()).toBe(0)
    await new OrderChanges(store).raise(orderId)
    await page.reload()
    await showsOrder(page, "rest_to_pay", number, "15.01 USD")
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    await page.goto(copied)
    await showsOrder(page, "paid", number)
    const [open] = await new OrderChanges(store).openCollections(orderId)
    expect(open).toBeUndefined()
  })

  it("is paid by a guest who first comes back unpaid, and whose own cart stays", async () => {
    const orderId = await payments.madeByMerchant()
    const collectionId = await new OrderChanges(store).collection({ orderId }, 15.01)
    const page = await (await shoppers.another()).fillCart()
    await page.goto(`${setting.shopUrl}/order/${orderId}`)
    const link = await leaveToPay(page)
    await press(page, "decline")
    await sees(page, "unpaid")
    await page.locator("a.crypto-pay-button").click()
    await page.waitForURL((url) => url.pathname === `/pay/${link}`)
    await press(page, "pay")
    await sees(page, "paid")
    await orderLink(page).waitFor()
    expect(await readCollectionEnd(store.knex, collectionId)).toMatchObject({ captures: ["15.01"] })
    await page.goto(`${setting.shopUrl}/checkout`)
    await payButton(page).waitFor()
  })

  it("has paid a part of what it owes, and pays the rest by the same link", async () => {
    const orderId = await payments.madeByMerchant()
    const collectionId = await new OrderChanges(store).collection({ orderId }, 15.01)
    const page = await openOrder({ orderId })
    const link = await leaveToPay(page)
    await press(page, "part")
    await sees(page, "partial")
    await page.goto(`${setting.shopUrl}/order/${orderId}`)
    await showsOrder(page, "partial")
    expect(await leaveToPay(page)).toBe(link)
    await press(page, "pay")
    await sees(page, "paid")
    expect(await readCollectionEnd(store.knex, collectionId)).toMatchObject({ captures: ["15.01"] })
  })

  it("is asked for the part that the merchant asks for, and still owes the rest", async () => {
    const orderId = await payments.madeByMerchant()
    await new OrderChanges(store).collection({ orderId }, 10)
    const page = await openOrder({ orderId })
    await showsOrder(page, "to_pay", "10.00 USD")
    await leaveToPay(page)
    await press(page, "pay")
    await sees(page, "paid")
    await page.goto(`${setting.shopUrl}/order/${orderId}`)
    await showsOrder(page, "rest_to_pay")
    expect(await payButton(page).count()).toBe(0)
  })

  it("sees that an order is cancelled, also once it is archived, and cannot pay any archived order", async () => {
    const changes = new OrderChanges(store)
    const [canceled, completed] = [await payments.madeByMerchant(), await payments.madeByMerchant()]
    await changes.collection({ orderId: canceled }, 15.01)
    await changes.collection({ orderId: completed }, 15.01)
    await changes.must(`/orders/${canceled}/cancel`)
    const page = await openOrder({ orderId: canceled })
    await showsOrder(page, "canceled")
    await changes.must(`/orders/${canceled}/archive`)
    await page.reload()
    await showsOrder(page, "canceled")
    await changes.must(`/orders/${completed}/complete`)
    await changes.must(`/orders/${completed}/archive`)
    await page.goto(`${setting.shopUrl}/order/${completed}`)
    await showsOrder(page, "to_pay")
    expect(await payButton(page).count()).toBe(0)
  })

  it("reads in Arabic that it is unpaid, and tries again when the store did not answer", async () => {
    const orderId = await payments.madeByMerchant()
    const shopper = await shoppers.another({ language: "ar" })
    const page = await shopper.open("/")
    const orders = "**/store/orders/*"
    await page.route(orders, async (route) => await route.abort())
    await page.goto(`${setting.shopUrl}/order/${orderId}`)
    await showsOrder(page, "unreachable")
    await page.unroute(orders)
    await page.getByRole("button", { name: "تحقق مرة أخرى" }).click()
    await showsOrder(page, "to_pay", "المبلغ المطلوب")
    expect(await accessibilityFaults(page)).toEqual([])
  })

  async function openOrder({ orderId }: Pick<MadePayment, "orderId">): Promise<Page> {
    return await (await shoppers.another()).open(`/order/${String(orderId)}`)
  }

  async function sendBack({ id }: MadePayment, amount: string): Promise<void> {
    const { asAdmin } = store
    const answer = await asAdmin.post(`/crypto-payments/${id}/refunds`, { amount, reference: `0x${amount}` })
    expect(answer.status).toBe(200)
  }

  async function sessionOf({ id }: MadePayment): Promise<string> {
    const row = await store
      .knex<{ id: string; session_id: string }>("crypto_payment_request")
      .where({ id })
      .first("session_id")
    return row?.session_id ?? ""
  }
})
