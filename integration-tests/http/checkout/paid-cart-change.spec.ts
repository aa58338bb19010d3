import { Modules } from "@medusajs/framework/utils"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import {
  addShippingMethodToCartWorkflow,
  updateCartWorkflow,
  updateLineItemInCartWorkflow,
} from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"
import { runAudit, shortFindings } from "../../support/audit"
import { readEndState } from "../../support/end-state"
import { endOf, ledgerRow, payAndNotify, placePaidOrder, untilAtRest } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { guestAddress, readSession, type PreparedCheckout } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

/** What the cart is, as its table says. */
interface CartEnd {
  currency_code: string
  quantity: number
  items: number
}

describeStore("a cart whose payment is received and which is no order yet", (store) => {
  const shopper = () => store.shopper()
  const toUsd = () => ({ region_id: store.seeded.regions.usd, shipping_address: guestAddress("usd") })

  /** 55.15 AED for one item, without a shipping method. */
  async function checkout(): Promise<PreparedCheckout> {
    const created = await shopper().post("/carts", {
      region_id: store.seeded.regions.aed,
      email: "guest@example.test",
      shipping_address: guestAddress("aed"),
      items: [{ variant_id: store.seeded.variantId, quantity: 1 }],
    })
    const cartId = created.data.cart.id as string
    const collectionId = await shopper().collection(cartId)
    const opened = await shopper().openSession(collectionId)
    return { cartId, collectionId, session: readSession(opened.data) }
  }

  async function paidCheckout(): Promise<PreparedCheckout> {
    const paid = await checkout()
    await payAndNotify(store, paid.session.data.payment_request_id)
    await untilAtRest(store, paid.cartId)
    return paid
  }

  async function readCart(cartId: string): Promise<CartEnd> {
    const { currency_code } = await store.knex("cart").where({ id: cartId }).first("currency_code")
    const items = await store.knex("cart_line_item").where({ cart_id: cartId, deleted_at: null })
    return { currency_code, items: items.length, quantity: Number(items[0]?.quantity) }
  }
  const collection = async (id: string): Promise<[string, string]> => {
    const { currency_code, amount } = await store.knex("payment_collection").where({ id }).first()
    return [currency_code, Number(amount).toFixed(2)]
  }
  const lineItem = async (cartId: string): Promise<string> =>
    (await store.knex("cart_line_item").where({ cart_id: cartId }).first("id")).id
  const FREE = { amount: 0, raw_amount: { value: "0", precision: 20 } }
  const pricesOfShipping = () => store.knex("shipping_option_price_set").select("price_set_id")
  const UNCHANGED: CartEnd = { currency_code: "aed", items: 1, quantity: 1 }
  const WITHOUT_ORDER = {
    collection: { captured: "55.15", refunded: "0.00" },
    captures: ["55.15"],
    orders: 0,
    transactions: [],
  }

  /** A new promotion of five dirhams. @returns its code */
  async function fiveOff(): Promise<string> {
    const { code } = await store.container.resolve(Modules.PROMOTION).createPromotions({
      code: `FIVE_${String(Date.now())}`,
      type: "standard",
      status: "active",
      is_automatic: false,
      application_method: {
        type: "fixed",
        target_type: "items",
        allocation: "across",
        value: 5,
        currency_code: "aed",
      },
    })
    return String(code)
  }

  const changes: [string, (cartId: string) => Promise<AxiosResponse>][] = [
    ["region", async (id) => await shopper().post(`/carts/${id}`, toUsd())],
    [
      "quantity",
      async (id) => await shopper().post(`/carts/${id}/line-items/${await lineItem(id)}`, { quantity: 5 }),
    ],
    [
      "items",
      async (id) =>
        await shopper().post(`/carts/${id}/LINE-ITEMS/`, {
          variant_id: store.seeded.variantIds[1],
          quantity: 1,
        }),
    ],
    ["item, removed,", async (id) => await shopper().delete(`/carts/${id}/line-items/${await lineItem(id)}`)],
    [
      "promotions",
      async (id) => await shopper().post(`/carts/${id}/promotions`, { promo_codes: [await fiveOff()] }),
    ],
    ["codes", async (id) => await shopper().post(`/carts/${id}`, { promo_codes: [await fiveOff()] })],
  ]

  it.each(changes)("keeps its %s, however often the change is tried", async (_, change) => {
    const { cartId, collectionId } = await paidCheckout()
    for (let attempt = 0; attempt < 4; attempt++) {
      const { status, data } = await change(cartId)
      expect([status, data.code]).toEqual([400, "already_paid"])
    }
    expect(await readCart(cartId)).toEqual(UNCHANGED)
    expect(await collection(collectionId)).toEqual(["aed", "55.15"])
    expect(await readEndState(store.knex, cartId)).toMatchObject(WITHOUT_ORDER)
  })

  it.each(changes)("keeps its %s also before the payment was noticed", async (_, change) => {
    const { cartId, session } = await checkout()
    await store.gateway.pay(session.data.payment_request_id)
    for (let attempt = 0; attempt < 4; attempt++) {
      expect((await change(cartId)).status).toBeGreaterThanOrEqual(400)
    }
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await readCart(cartId)).toEqual(UNCHANGED)
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      ...WITHOUT_ORDER,
      ledger: [{ state: "captured", attention: "paid_without_order" }],
    })
  })

  it("takes an address and its own region, and becomes the order by what it lacks", async () => {
    const { cartId } = await paidCheckout()
    const { post } = shopper()
    const corrected = { ...guestAddress("aed"), address_1: "2 Creek Road" }
    const answers = [
      await post(`/carts/${cartId}`, { shipping_address: corrected, region_id: store.seeded.regions.aed }),
      await post(`/carts/${cartId}`, { billing_address: corrected, email: "guest@example.test" }),
      await shopper().get(`/carts/${cartId}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])

    // Delivery costs nothing, so the cart's total stays what was paid.
    await store.knex("price").whereIn("price_set_id", pricesOfShipping()).update(FREE)
    const path = `/carts/${cartId}/shipping-methods`
    const added = await post(path, { option_id: store.seeded.shippingOptionId })
    expect([added.status, (await shopper().complete(cartId)).data.type]).toEqual([200, "order"])
    expect(await readEndState(store.knex, cartId)).toMatchObject({
      captures: ["55.15"],
      orders: 1,
      transactions: ["55.15"],
      ledger: [{ state: "captured", settled: true, attention: null }],
    })
  })

  it("takes no shipping method that would raise its total, however often it is tried", async () => {
    const { cartId, collectionId } = await paidCheckout()
    for (let attempt = 0; attempt < 4; attempt++) {
      const path = `/carts/${cartId}/shipping-methods`
      const { status } = await shopper().post(path, { option_id: store.seeded.shippingOptionId })
      expect(status).toBeGreaterThanOrEqual(400)
    }
    expect(await store.knex("cart_shipping_method").where({ cart_id: cartId, deleted_at: null })).toEqual([])
    await store.knex("crypto_payment_request").update({ next_check_at: new Date(0) })
    await settleDue(store)
    expect(await collection(collectionId)).toEqual(["aed", "55.15"])
  })

  /** As core's first, refused try leaves the collection: the next one finds it equal to the cart, and asks no provider. */
  async function ask(collectionId: string, currency_code: string, amount: number): Promise<void> {
    await store.container
      .resolve(Modules.PAYMENT)
      .updatePaymentCollections(collectionId, { currency_code, amount })
  }

  describe("and was changed all the same, by code", () => {
    type Change = (cartId: string) => Promise<unknown>
    const codes: [string, CartEnd, number, number, Change][] = [
      [
        "into another currency",
        { ...UNCHANGED, currency_code: "usd" },
        15.01,
        20.01,
        async (id) => await updateCartWorkflow(store.container).run({ input: { id, ...toUsd() } }),
      ],
      [
        "to five items for the price of one",
        { ...UNCHANGED, quantity: 5 },
        275.75,
        294.1,
        async (id) =>
          await updateLineItemInCartWorkflow(store.container).run({
            input: { cart_id: id, item_id: await lineItem(id), update: { quantity: 5 } },
          }),
      ],
    ]

    it.each(codes)("%s, is a case and no order, whoever completes it", async (_, ...given) => {
      const [changed, total, shipped, change] = given
      const { cartId, collectionId, session } = await paidCheckout()
      await ask(collectionId, changed.currency_code, total)
      await change(cartId)
      expect(await readCart(cartId)).toEqual(changed)
      await ask(collectionId, changed.currency_code, shipped)
      await addShippingMethodToCartWorkflow(store.container).run({
        input: { cart_id: cartId, options: [{ id: store.seeded.shippingOptionId }] },
      })
      const completed = await shopper().complete(cartId)
      expect([completed.status, completed.data.code]).toEqual([400, "cart_changed"])
      const { id } = await ledgerRow(store, session.id)
      await store.asAdmin.post(`/crypto-payments/${id}/settle`, {})
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        ...WITHOUT_ORDER,
        ledger: [{ state: "captured", attention: "amount_mismatch" }],
      })
    })

    it("is the order once it is again what was paid, and somebody presses Check now", async () => {
      const paid = await store.shopper().checkout()
      await store.knex("cart_line_item").where({ cart_id: paid.cartId }).update({ quantity: 5 })
      await payAndNotify(store, paid.session.data.payment_request_id)
      expect(await endOf(store, paid.cartId)).toMatchObject({
        captures: [],
        orders: 0,
        ledger: [{ state: "paid", attention: "amount_mismatch" }],
      })
      await store.knex("cart_line_item").where({ cart_id: paid.cartId }).update({ quantity: 1 })
      const { id } = await ledgerRow(store, paid.session.id)
      await store.asAdmin.post(`/crypto-payments/${id}/settle`, {})
      expect(await readEndState(store.knex, paid.cartId)).toMatchObject({
        captures: ["20.01"],
        orders: 1,
        ledger: [{ state: "captured", settled: true, attention: null }],
      })
    })

    it("is a case and no order also when that happens after a settle has decided to capture it", async () => {
      const { cartId, session } = await store.shopper().checkout()
      const { completions } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const begin = completions.begin.bind(completions)
      const spy = jest.spyOn(completions, "begin").mockImplementationOnce(async (...of) => {
        await store.knex("cart_line_item").where({ cart_id: cartId }).update({ quantity: 5 })
        return await begin(...of)
      })
      await payAndNotify(store, session.data.payment_request_id)
      expect(await endOf(store, cartId)).toMatchObject({
        captures: [],
        orders: 0,
        ledger: [{ state: "paid", attention: "amount_mismatch" }],
      })
      spy.mockRestore()
    })

    it("is refused by the provider, where the store completes it by its own code", async () => {
      const { cartId, collectionId, session } = await store.shopper().checkout()
      await store
        .knex("payment_collection")
        .where({ id: collectionId })
        .update({ currency_code: "aed", amount: 73.5 })
      await store.knex("cart").where({ id: cartId }).update({ currency_code: "aed" })
      await store.gateway.pay(session.data.payment_request_id)
      const payments = store.container.resolve(Modules.PAYMENT)
      await expect(payments.authorizePaymentSession(session.id, {})).rejects.toMatchObject({
        type: "payment_requires_more_error",
      })
      expect(
        await waitUntil(
          async () => await readEndState(store.knex, cartId),
          ({ ledger }) => ledger.some(({ attention }) => attention !== null)
        )
      ).toMatchObject({ captures: [], orders: 0, ledger: [{ attention: "amount_mismatch" }] })
    })
  })

  it("and whose order is in another currency: a case, and no sum of two currencies", async () => {
    const { id, cartId, orderId } = await placePaidOrder(store)
    store.leavesDamage("the order is in another currency than its books")
    await store.knex("order").where({ id: orderId }).update({ currency_code: "aed" })
    expect(shortFindings(await runAudit(store))).toEqual([["order_currency_differs", id, orderId]])
    await store.asAdmin.post(`/crypto-payments/${id}/settle`, {})
    const row = await store.knex("crypto_payment_request").where({ id }).first()
    expect([row.attention_reason, row.attention_amount]).toEqual(["amount_mismatch", null])
    expect((await runAudit(store)).findings).toEqual([])
    expect((await readEndState(store.knex, cartId)).captures).toEqual(["20.01"])
  })

  it("was never paid: the payment step asks for what it costs, after a change that failed halfway", async () => {
    const { cartId, collectionId, session } = await store.shopper().checkout()
    await store
      .knex("payment_collection")
      .where({ id: collectionId })
      .update({ currency_code: "aed", amount: 73.5, raw_amount: { value: "73.5", precision: 20 } })
    const opened = readSession((await shopper().openSession(collectionId)).data)
    expect(opened.data).toMatchObject({ amount: "20.01", currency_code: "usd" })
    expect(opened.data.payment_link).toBe(session.data.payment_link)
    expect(await collection(collectionId)).toEqual(["usd", "20.01"])
    expect((await readCart(cartId)).currency_code).toBe("usd")
  })
})
