import type { MedusaContainer } from "@medusajs/framework/types"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import { linkCart, listLinked } from "./finish-order-links"

/**
 * Whether core may complete a cart that it was asked to complete before.
 *
 * - `clear`: no order of that attempt is left, or the cart is linked to its order now
 * - `in_use`: core may be about to place an order of the buyer
 * - `leftBehindId`: an order that may be the cart's, so no second one is placed
 */
export type Clearance = "clear" | "in_use" | { leftBehindId: string }

/** Clocks of servers differ: an order's time is its server's, the attempt's is the database's. */
const ABOUT_MS = 10 * 60_000
/** Core's lock on a cart lasts this long at most. */
const UNDER_WAY_MS = 2 * 60_000

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
  created_at: Date | string
  cart?: { id: string } | null
}

const FIELDS = ["id", "status", "is_draft_order", "created_at", "cart.id"]

/**
 * Looks for the order that core left when its process died while it completed a cart. Core writes the order, its links
 * to the cart and to the payment collection, and the stock's reservations in separate transactions, and completing the
 * cart again places a second order.
 *
 * An order with the collection's link is the cart's, and is linked to it. Without a link nothing in the order names its
 * cart, so any order of the buyer from about that time that has no cart may be it: an admin user decides.
 *
 * @param since when core was last asked to complete the cart
 * @param known an order that an admin user has said is not the cart's
 */
export async function findOrderLeftBehind(
  container: MedusaContainer,
  cartId: string,
  since: Date,
  known?: string | null
): Promise<Clearance> {
  const list = async (filters: Record<string, unknown>): Promise<Order[]> =>
    (await queryStore<Order>("order", FIELDS, filters)).filter(
      ({ cart, is_draft_order, status }) => cart == null && !is_draft_order && status !== "canceled"
    )
  // Under the cart's lock: a completion of it that is running looks the same.
  const held = await whileLocked(container, cartId, CART_WAIT_S, async (): Promise<Clearance> => {
    const fields = ["customer_id", "email", "currency_code", "order.id", "payment_collection.id"]
    const [cart] = await queryStore<Cart>("cart", fields, { id: cartId })
    if (cart === undefined || cart.order != null) {
      return "clear"
    }
    const of = { payment_collection_id: cart.payment_collection?.id ?? null }
    const [own] = await list({
      id: await listLinked("order_payment_collection", "order_id", of),
    })
    if (own !== undefined) {
      await linkCart(container, cartId, own.id)
      return "clear"
    }
    const { customer_id, email, currency_code } = cart
    const about = [-ABOUT_MS, ABOUT_MS].map((ms) => new Date(since.getTime() + ms))
    const orders = await list({
      ...(customer_id === null ? { email } : { customer_id }),
      currency_code,
      created_at: { $gte: about[0], $lte: about[1] },
    })
    const left = orders.filter(({ id }) => id !== known)
    // Another cart of the same buyer may be completed at this moment.
    const isUnderWay = left.some(
      ({ created_at }) => Date.now() - new Date(created_at).getTime() < UNDER_WAY_MS
    )
    return left[0] === undefined ? "clear" : isUnderWay ? "in_use" : { leftBehindId: left[0].id }
  })
  return held?.result ?? "in_use"
}
