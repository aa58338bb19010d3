import { OrderCommand } from "./command"
import { PRICES, type OrderModel } from "./model"
import type { StoreOrder } from "./store-order"
import { guestAddress } from "../support/guest-address"

function isCart(model: Readonly<OrderModel>): boolean {
  return model.stage === "cart"
}

/** The customer's own change of a cart. What the store makes of it is read from the cart. */
async function change(order: StoreOrder, path: string, body: unknown): Promise<void> {
  const { status } = await order.shopper.post(`/carts/${order.cartId ?? ""}${path}`, body)
  if (status >= 300) {
    order.story.push(`    the store refuses: ${status}`)
  }
}

export class PutInCart extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return isCart(model)
  }

  async act(_: OrderModel, order: StoreOrder): Promise<void> {
    await change(order, "/line-items", { variant_id: order.variantId, quantity: 1 })
  }

  toString(): string {
    return "the customer puts one more unit into the cart"
  }
}

export class SwitchRegion extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return isCart(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const other = model.currency === "usd" ? "aed" : "usd"
    await change(order, "", {
      region_id: order.shop.seeded.regions[other],
      shipping_address: guestAddress(other),
    })
  }

  toString(): string {
    return `the customer switches the cart to the region of the other currency (${Object.keys(PRICES).join(", ")})`
  }
}

/** A typing error in the e-mail is corrected: by the customer, or by the merchant once there is an order. */
export class CorrectEmail extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return isCart(model) || model.stage === "placed"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const email = `right-${order.email}`
    await (isCart(model)
      ? change(order, "", { email })
      : order.post(`/orders/${order.orderId ?? ""}`, { email }))
  }

  toString(): string {
    return "the e-mail address is corrected"
  }
}

export class PlaceOrder extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return isCart(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const { status, data } = await order.shopper.complete(order.cartId ?? "")
    if (data?.type === "order") {
      model.wasPlacedUnpaid = true
    } else {
      order.story.push(`    the store refuses: ${status}`)
    }
  }

  toString(): string {
    return "the customer places the order"
  }
}
