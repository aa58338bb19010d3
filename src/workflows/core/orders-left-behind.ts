import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import { linkCart } from "./finish-order-links"

/**
 * Whether core may complete a cart that it was asked to complete before.
 *
 * - `clear`: no order of that attempt is left, or the cart is linked to its order now
 * - `in_use`: core may be about to place the order
 * - `leftId`: an order that may be the cart's, so no second one is placed
 */
export type Clearance = "clear" | "in_use" | { leftId: string }

/** Clocks of servers differ: an order's time is its server's, the attempt's is the database's. */
const CLOCK_MARGIN_MS = 10 * 60_000

interface Cart {
  customer_id: string | null
  email: string | null
  currency_code: string
  order?: { id: string } | null
  payment_collection?: { id: string } | null
}

interface Order {
  id: string
  status: string
  is_draft_order: boolean
  cart?: { id: string } | null
  payment_collections?: ({ id: string } | null)[]
}

/**
 * Looks for the order that core left when its process died while it completed a cart. Core writes the order, its links
 * to the cart and to the payment collection, and the stock's reservations in separate transactions, and completing the
 * cart again places a second order.
 *
 * An order with the collection's link is the cart's, and is linked to it. Without a link nothing in the order names its
 * cart, so any order of the buyer since then that has no cart may be it: a person decides.
 *
 * @param since when core was first asked to complete the cart
 */
export async function findOrderLeftBehind(
  container: MedusaContainer,
  cartId: string,
  since: Date
): Promise<Clearance> {
  // Under the cart's lock: a completion that is running looks the same.
  const held = await whileLocked(container, cartId, CART_WAIT_S, async (): Promise<Clearance> => {
    const query = container.resolve(ContainerRegistrationKeys.QUERY)
    const carts = await query.graph({
      entity: "cart",
      fields: ["customer_id", "email", "currency_code", "order.id", "payment_collection.id"],
      filters: { id: cartId },
    })
    const [cart] = carts.data as unknown as [Cart | undefined]
    if (cart === undefined || cart.order != null) {
      return "clear"
    }
    const { customer_id, email, currency_code, payment_collection } = cart
    const created_at = { $gte: new Date(since.getTime() - CLOCK_MARGIN_MS) }
    const orders = await query.graph({
      entity: "order",
      fields: ["id", "status", "is_draft_order", "cart.id", "payment_collections.id"],
      filters: { ...(customer_id === null ? { email } : { customer_id }), currency_code, created_at },
    })
    const left = (orders.data as unknown as Order[]).filter(
      (order) => order.cart == null && !order.is_draft_order && order.status !== "canceled"
    )
    const own = left.find(({ payment_collections = [] }) =>
      payment_collections.some((collection) => collection?.id === payment_collection?.id)
    )
    if (own !== undefined) {
      await linkCart(container, cartId, own.id)
      return "clear"
    }
    return left[0] === undefined ? "clear" : { leftId: left[0].id }
  })
  return held?.result ?? "in_use"
}
