import { learn } from "./command"
import { PRICES, toMoney, type OrderModel } from "./model"
import { payLink } from "./commands-paying"
import type { StoreOrder } from "./store-order"
import { guestAddress } from "../support/guest-address"

const { unit: UNIT, shipping: SHIPPING } = PRICES.usd

/** How a story begins. */
export const BEGINNINGS = ["unpaid", "paid", "draft", "cart"] as const
export type Beginning = (typeof BEGINNINGS)[number]

const IN_WORDS: Record<Beginning, string> = {
  unpaid: "the customer places an order of one unit and has a link, and has not paid",
  paid: "the customer places an order of one unit and pays",
  draft: "the merchant makes a draft order of one unit and asks for its payment",
  cart: "the customer has a cart of one unit and opens the payment step",
}

export async function begin(beginning: Beginning, model: OrderModel, order: StoreOrder): Promise<void> {
  order.story.push(IN_WORDS[beginning])
  await (beginning === "draft" ? makeDraft(order) : prepareCart(order))
  model.stage = beginning === "draft" ? "draft" : "cart"
  model.addLine(1)
  if (beginning === "unpaid") {
    model.wasPlacedUnpaid = true
    await mustDo(order.shopper.complete(order.cartId ?? ""))
  }
  await order.comeToRest()
  await learn(model, order)
  if (beginning === "paid") {
    await payLink(model, order, 0, true)
    await order.comeToRest()
    await learn(model, order)
  }
  if ((order.orderId === null) !== (beginning === "cart") || order.links.length !== 1) {
    throw new Error(`the story did not begin: order ${String(order.orderId)}, ${order.links.length} links`)
  }
}

async function prepareCart(order: StoreOrder): Promise<void> {
  const { cartId } = await order.shopper.checkout({ email: order.email })
  order.cartId = cartId
}

async function makeDraft(order: StoreOrder): Promise<void> {
  const { seeded } = order.shop
  const address = guestAddress("usd")
  const created = await mustDo(
    order.post("/draft-orders", {
      email: order.email,
      region_id: seeded.regions.usd,
      sales_channel_id: seeded.salesChannelId,
      shipping_address: address,
      items: [{ variant_id: order.variantId, quantity: 1, unit_price: Number(toMoney(UNIT)) }],
      shipping_methods: [
        { name: "Standard", shipping_option_id: seeded.shippingOptionId, amount: Number(toMoney(SHIPPING)) },
      ],
    })
  )
  order.orderId = created["draft_order"].id as string
  const { payment_collection } = await mustDo(
    order.post("/payment-collections", {
      order_id: order.orderId,
      amount: Number(toMoney(UNIT + SHIPPING)),
    })
  )
  await mustDo(
    order.post(`/payment-collections/${String(payment_collection.id)}/payment-sessions`, {
      provider_id: "pp_crypto_default",
    })
  )
}

async function mustDo<Data>(answer: Promise<{ status: number; data: Data }>): Promise<Data> {
  const { status, data } = await answer
  if (status >= 300) {
    throw new Error(`the story did not begin: ${status} ${JSON.stringify(data)}`)
  }
  return data
}
