import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { Settling } from "./settling"

/**
 * Writes what is missing when core died after it had linked order and cart: the links to the payment collection and the
 * promotions, and the cart's completion. Without the collection the order shows as unpaid, and core books no captures
 * on it. For a request without a cart, only the collection's link, of a paid collection that was taken off the order.
 */
export async function finishOrderLinks(
  { container, row: { cart_id, payment_collection_id } }: Pick<Settling, "container" | "row">,
  orderId: string
): Promise<void> {
  const cart = cart_id === null ? undefined : await readCart(container, cart_id)
  const order = { [Modules.ORDER]: { order_id: orderId } }
  await container
    .resolve(ContainerRegistrationKeys.LINK)
    .create([
      ...(payment_collection_id === null ? [] : [{ ...order, [Modules.PAYMENT]: { payment_collection_id } }]),
      ...(cart?.promotions ?? []).flatMap((promotion) =>
        promotion == null ? [] : [{ ...order, [Modules.PROMOTION]: { promotion_id: promotion.id } }]
      ),
    ])
  if (cart?.completed_at === null) {
    await container.resolve(Modules.CART).updateCarts([{ id: cart.id, completed_at: new Date() }])
  }
}

/** Links an order to the cart it was placed for, and to the cart's payment collection. */
export async function linkCart(container: MedusaContainer, cartId: string, orderId: string): Promise<void> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "cart_payment_collection",
    fields: ["payment_collection_id"],
    filters: { cart_id: cartId },
  })
  const order = { [Modules.ORDER]: { order_id: orderId } }
  await container.resolve(ContainerRegistrationKeys.LINK).create([
    { ...order, [Modules.CART]: { cart_id: cartId } },
    ...(data as { payment_collection_id: string }[]).map(({ payment_collection_id }) => ({
      ...order,
      [Modules.PAYMENT]: { payment_collection_id },
    })),
  ])
}

interface LinkedCart {
  id: string
  completed_at: Date | null
  promotions?: ({ id: string } | undefined)[]
}

async function readCart(container: MedusaContainer, id: string): Promise<LinkedCart | undefined> {
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "cart",
    fields: ["id", "completed_at", "promotions.id"],
    filters: { id },
  })
  return (data as LinkedCart[])[0]
}

/** Whether all of that except the promotions is written. Core writes the parts in parallel, so each is checked. */
export async function areOrderLinksFinished(
  { container, row: { cart_id, payment_collection_id } }: Pick<Settling, "container" | "row">,
  orderId: string
): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { order_id: orderId, payment_collection_id },
  })
  if (cart_id === null) {
    return links.length > 0
  }
  return links.length > 0 && (await readCart(container, cart_id))?.completed_at !== null
}
