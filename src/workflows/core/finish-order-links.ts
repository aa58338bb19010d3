import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { queryStore } from "../../modules/crypto-payments/store-query"
import type { Settling } from "./settling"

const LINKED = {
  cart_id: Modules.CART,
  payment_collection_id: Modules.PAYMENT,
  promotion_id: Modules.PROMOTION,
}
type Id = string | null | undefined

/** Core's links of an order, as its link module takes them. */
function linksOf(order_id: string, linked: { [Column in keyof typeof LINKED]?: Id | Id[] }) {
  return Object.entries(LINKED).flatMap(([column, module]) =>
    [linked[column as keyof typeof LINKED]]
      .flat()
      .flatMap((id) => (id == null ? [] : [{ [Modules.ORDER]: { order_id }, [module]: { [column]: id } }]))
  )
}

/** The values of a column of core's links. @param entity a table of links, such as `order_cart` */
export async function listLinked(
  entity: string,
  column: keyof typeof LINKED | "order_id",
  filters: Record<string, string | null>
): Promise<string[]> {
  const links = await queryStore<Record<string, unknown>>(entity, [column], filters)
  return links.map((link) => String(link[column]))
}

/**
 * Writes what is missing when core died after it had linked order and cart: the links to the payment collection and the
 * promotions, and the cart's completion. Without the collection the order shows as unpaid, and core books no captures
 * on it. For a request without a cart, only the collection's link, of a paid collection that was taken off the order.
 */
export async function finishOrderLinks(
  { container, row: { cart_id, payment_collection_id } }: Pick<Settling, "container" | "row">,
  orderId: string
): Promise<void> {
  const cart = cart_id === null ? undefined : await readCart(cart_id)
  const promotion_id = cart?.promotions?.map((promotion) => promotion?.id)
  await container
    .resolve(ContainerRegistrationKeys.LINK)
    .create(linksOf(orderId, { payment_collection_id, promotion_id }))
  if (cart?.completed_at === null) {
    await container.resolve(Modules.CART).updateCarts([{ id: cart.id, completed_at: new Date() }])
  }
}

/** Links an order to its cart, when core had linked it to the cart's payment collection only. */
export async function linkCart(container: MedusaContainer, cart_id: string, orderId: string): Promise<void> {
  await container.resolve(ContainerRegistrationKeys.LINK).create(linksOf(orderId, { cart_id }))
}

interface LinkedCart {
  id: string
  completed_at: Date | null
  promotions?: ({ id: string } | undefined)[]
}

async function readCart(id: string): Promise<LinkedCart | undefined> {
  const [cart] = await queryStore<LinkedCart>("cart", ["id", "completed_at", "promotions.id"], { id })
  return cart
}

/** Whether all of that except the promotions is written. Core writes the parts in parallel, so each is checked. */
export async function areOrderLinksFinished(
  { row: { cart_id, payment_collection_id } }: Pick<Settling, "row">,
  orderId: string
): Promise<boolean> {
  const links = await listLinked("order_payment_collection", "order_id", {
    order_id: orderId,
    payment_collection_id,
  })
  return links.length > 0 && (cart_id === null || (await readCart(cart_id))?.completed_at !== null)
}
