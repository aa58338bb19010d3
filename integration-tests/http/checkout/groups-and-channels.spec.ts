import type { AxiosResponse } from "axios"
import { PAID_OK, readEndState } from "../../support/end-state"
import { OrderChanges } from "../../support/order-changes"
import { endOf, ledgerRow, payAndNotify } from "../../support/paid-checkout"
import { settleDue } from "../../support/settle-due"
import { readSession, type PreparedCheckout, guestAddress } from "../../support/shopper"
import { describeStore } from "../../support/store-under-test"

/** A storefront of one channel, with or without a customer who is logged in. */
interface Storefront {
  post: (path: string, body?: unknown) => Promise<Record<string, never>>
  customerId?: string
}

describeStore("a store with customer groups, price lists and sales channels", (store) => {
  const admin = (): OrderChanges => new OrderChanges(store)
  const created = async (path: string, body: unknown, key: string): Promise<string> =>
    ((await admin().must(path, body))[key] as { id: string }).id

  function storefront(publishableKey: string, token?: string): Storefront["post"] {
    const headers = {
      "x-publishable-api-key": publishableKey,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    }
    return async (path, body = {}) => {
      const { status, data }: AxiosResponse = await store.http.post(`/store${path}`, body, { headers })
      if (status >= 300) {
        throw new Error(`${path} answered ${String(status)}: ${JSON.stringify(data)}`)
      }
      return data as Record<string, never>
    }
  }

  async function customer(email = "buyer@example.test"): Promise<Required<Storefront>> {
    const credentials = { email, password: "a buyer's password" }
    const registered = await store.http.post("/auth/customer/emailpass/register", credentials)
    const account = storefront(store.seeded.publishableKey, registered.data.token as string)
    const { id } = (await account("/customers", { email }))["customer"] as unknown as { id: string }
    const { data } = await store.http.post("/auth/customer/emailpass", credentials)
    return { post: storefront(store.seeded.publishableKey, data.token as string), customerId: id }
  }

  /** A group whose members pay 10.00 USD for what costs others 15.01. */
  async function wholesale(): Promise<string> {
    const groupId = await created("/customer-groups", { name: "Wholesale" }, "customer_group")
    await created(
      "/price-lists",
      {
        title: "Wholesale",
        description: "Of wholesale customers",
        type: "override",
        status: "active",
        rules: { "customer.groups.id": [groupId] },
        prices: [{ variant_id: store.seeded.variantId, currency_code: "usd", amount: 10 }],
      },
      "price_list"
    )
    return groupId
  }

  const change = async (groupId: string, body: { add?: string[]; remove?: string[] }): Promise<void> => {
    await admin().must(`/customer-groups/${groupId}/customers`, body)
  }

  async function checkout({ post }: Pick<Storefront, "post">): Promise<PreparedCheckout> {
    const address = guestAddress("usd")
    const { cart } = await post("/carts", {
      region_id: store.seeded.regions.usd,
      email: "buyer@example.test",
      shipping_address: address,
      items: [{ variant_id: store.seeded.variantId, quantity: 1 }],
    })
    const { id: cartId } = cart as unknown as { id: string }
    await post(`/carts/${cartId}/shipping-methods`, { option_id: store.seeded.shippingOptionId })
    const { payment_collection } = await post("/payment-collections", { cart_id: cartId })
    const { id: collectionId } = payment_collection as unknown as { id: string }
    return { cartId, collectionId, session: await open({ post }, collectionId) }
  }

  const open = async (
    { post }: Pick<Storefront, "post">,
    collectionId: string
  ): Promise<PreparedCheckout["session"]> =>
    readSession(
      await post(`/payment-collections/${collectionId}/payment-sessions`, {
        provider_id: "pp_crypto_default",
      })
    )

  /** One of everything over this amount, and an order that owes nothing. */
  async function expectPaidOnce(cartId: string, amount: string): Promise<void> {
    expect(await readEndState(store.knex, cartId)).toEqual({
      ...PAID_OK,
      collection: { status: "completed", authorized: amount, captured: amount, refunded: "0.00" },
      captures: [amount],
      transactions: [amount],
    })
    const { order_id } = await store.knex("order_cart").where({ cart_id: cartId }).first("order_id")
    expect(await admin().books(String(order_id))).toEqual({ pending: 0, paymentStatus: "captured" })
  }

  describe("whose customer has a price of their group", () => {
    it("takes that price, once, and the order is theirs", async () => {
      const buyer = await customer()
      await change(await wholesale(), { add: [buyer.customerId] })
      const { cartId, session } = await checkout(buyer)
      expect(session.data.amount).toBe("15.00")
      await payAndNotify(store, session.data.payment_request_id)
      await endOf(store, cartId)
      await expectPaidOnce(cartId, "15.00")
      const { order_id } = await ledgerRow(store, session.id)
      const order = await store.knex("order").where({ id: order_id }).first("customer_id")
      expect(order.customer_id).toBe(buyer.customerId)
    })

    it.each<[string, "add" | "remove", string]>([
      ["leaves the group", "remove", "15.00"],
      ["joins the group", "add", "20.01"],
    ])("takes what the link asked for when the customer %s before it is paid", async (_, what, amount) => {
      const buyer = await customer()
      const groupId = await wholesale()
      if (what === "remove") {
        await change(groupId, { add: [buyer.customerId] })
      }
      const { cartId, session } = await checkout(buyer)
      expect(session.data.amount).toBe(amount)
      await change(groupId, { [what]: [buyer.customerId] })
      await payAndNotify(store, session.data.payment_request_id)
      await endOf(store, cartId)
      await expectPaidOnce(cartId, amount)
    })

    it("takes the new price when the cart is changed after the customer has left the group", async () => {
      const buyer = await customer()
      const groupId = await wholesale()
      await change(groupId, { add: [buyer.customerId] })
      const { cartId, collectionId, session: old } = await checkout(buyer)
      await change(groupId, { remove: [buyer.customerId] })
      // Any change of the cart prices it again.
      await buyer.post(`/carts/${cartId}`, {
        email: "buyer@example.test",
        region_id: store.seeded.regions.usd,
      })
      await buyer.post(`/carts/${cartId}/line-items`, { variant_id: store.seeded.variantId, quantity: 1 })
      const session = await open(buyer, collectionId)
      expect(session.data.amount).toBe("35.02")
      await payAndNotify(store, session.data.payment_request_id)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        collection: { status: "completed", captured: "35.02" },
        captures: ["35.02"],
        orders: 1,
        transactions: ["35.02"],
        ledger: [
          { state: "superseded", settled: false, attention: null },
          { state: "captured", settled: true, attention: null },
        ],
      })

      // The link of the old price can still be paid.
      await payAndNotify(store, old.data.payment_request_id)
      await settleDue(store)
      expect(await readEndState(store.knex, cartId)).toMatchObject({
        captures: ["35.02"],
        transactions: ["35.02"],
        ledger: [
          { state: "paid", settled: false, attention: "duplicate_payment" },
          { state: "captured", settled: true, attention: null },
        ],
      })
    })
  })

  describe("that has a key for each of its channels", () => {
    /** A second shop of the same store: its own channel, with its own key. */
    async function secondShop(): Promise<{ channelId: string; publishableKey: string }> {
      const channelId = await created("/sales-channels", { name: "B2B" }, "sales_channel")
      const { api_key } = await admin().must("/api-keys", { title: "B2B", type: "publishable" })
      const { id, token } = api_key as { id: string; token: string }
      await admin().must(`/api-keys/${id}/sales-channels`, { add: [channelId] })
      await admin().must(`/sales-channels/${channelId}/products`, { add: [store.seeded.productId] })
      await admin().must(`/stock-locations/${store.seeded.stockLocationId}/sales-channels`, {
        add: [channelId],
      })
      return { channelId, publishableKey: token }
    }

    it("places each order in the channel of the key that its cart was made with", async () => {
      const second = await secondShop()
      const shops: [string, string][] = [
        [store.seeded.publishableKey, store.seeded.salesChannelId],
        [second.publishableKey, second.channelId],
      ]
      for (const [key, channelId] of shops) {
        const { cartId, session } = await checkout({ post: storefront(key) })
        await payAndNotify(store, session.data.payment_request_id)
        await endOf(store, cartId)
        await expectPaidOnce(cartId, "20.01")
        const { order_id } = await ledgerRow(store, session.id)
        const order = await store.knex("order").where({ id: order_id }).first("sales_channel_id")
        expect(order.sales_channel_id).toBe(channelId)
      }
    })

    it("tells the state of a payment to either shop", async () => {
      const { publishableKey } = await secondShop()
      const { session } = await checkout({ post: storefront(publishableKey) })
      const answer = await store.shopper().get(`/crypto-payments/${session.id}`)
      expect([answer.status, answer.data.status]).toEqual([200, "awaiting_payment"])
    })
  })
})
