import type { ICartModuleService, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/**
 * Writes what is missing when core's process died after it had linked order and cart: the links to the payment
 * collection and to the promotions, and that the cart is completed. Without the collection the order is shown as
 * unpaid, and core does not book captures on it.
 */
export async function finishOrderLinks(
  container: MedusaContainer,
  { cart_id, payment_collection_id }: CryptoPaymentRequestRow,
  orderId: string
): Promise<void> {
  if (cart_id === null) {
    return
  }
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "completed_at", "promotions.id"],
    filters: { id: cart_id },
  })
  const [cart] = data as { completed_at: Date | null; promotions?: ({ id: string } | undefined)[] }[]
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
    await container
      .resolve<ICartModuleService>(Modules.CART)
      .updateCarts([{ id: cart_id, completed_at: new Date() }])
  }
}

/**
 * Whether core has written all of that but the promotions. It writes them beside each other, so that one says nothing about
 * another.
 */
export async function areOrderLinksFinished(
  container: MedusaContainer,
  { cart_id, payment_collection_id }: CryptoPaymentRequestRow,
  orderId: string
): Promise<boolean> {
  const query = container.resolve(ContainerRegistrationKeys.QUERY)
  const { data: links } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { order_id: orderId, payment_collection_id },
  })
  const { data: carts } = await query.graph({
    entity: "cart",
    fields: ["completed_at"],
    filters: { id: cart_id },
  })
  const [cart] = carts as { completed_at: Date | null }[]
  return links.length > 0 && cart?.completed_at !== null
}
