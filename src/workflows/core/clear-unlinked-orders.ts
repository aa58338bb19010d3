import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { deleteReservationsByLineItemsWorkflow } from "@medusajs/medusa/core-flows"
import { resolveLedger } from "../../modules/crypto-payments"
import { waitAtMost } from "../../modules/crypto-payments/waiting"
import { linkCart, linksOf, listLinked } from "./finish-order-links"
import { CART_WAIT_S, CORE_MS, whileLocked } from "./cart-lock"
import { warn } from "./settling"

/**
 * Whether core may complete a cart.
 *
 * - `clear`: no order that a dead process began is left
 * - `in_use`: core may be about to place the order
 * - `touchedId`: somebody has worked with such an order, so it is kept and no second order is placed
 */
export type Clearance = "clear" | "in_use" | { touchedId: string }

/**
 * Takes back the orders that core began for a cart and did not link to it, because its process died. Call it before
 * core completes the cart, and not under the cart's lock, which core takes itself. An order that was placed and has
 * only lost its links gets them back: core then completes the cart with it.
 *
 * Core cannot resume such an order: completing the cart again places a second one. So this does what core's own
 * compensation would have done. Whether the use of a promotion was counted cannot be known: it may be counted twice.
 *
 * @param isSurelyOver core captured the cart's payment so long ago that its completion must have ended
 */
export async function clearUnlinkedOrders(
  container: MedusaContainer,
  cartId: string,
  isSurelyOver = false
): Promise<Clearance> {
  const ledger = resolveLedger(container)
  // Without the lock this may be a running completion. Mostly nothing is found, and the lock is not needed.
  if ((await ledger.unlinkedOrders.find(cartId)).length === 0) {
    return "clear"
  }
  const held = await whileLocked(container, cartId, CART_WAIT_S, async (): Promise<Clearance> => {
    const found = await ledger.unlinkedOrders.find(cartId)
    const inTheWay = found.filter(({ is_canceled }) => !is_canceled)
    const placed = [...inTheWay, ...found].find(({ was_placed }) => was_placed)
    if (placed !== undefined) {
      await linkCart(container, cartId, placed.order_id)
      return "clear"
    }
    if (!isSurelyOver && inTheWay.some(({ may_be_under_way }) => may_be_under_way)) {
      return "in_use"
    }
    const touched = inTheWay.find(({ is_touched }) => is_touched)
    if (touched !== undefined) {
      return { touchedId: touched.order_id }
    }
    for (const { order_id } of inTheWay) {
      await takeBack(container, cartId, order_id)
    }
    return "clear"
  })
  return held?.result ?? "in_use"
}

/** The order goes last: if this process dies too, the rest is found again. */
async function takeBack(container: MedusaContainer, cartId: string, orderId: string): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  const { items = [] } = await orders.retrieveOrder(orderId, { relations: ["items"] })
  const ids = items.map(({ id }) => id)
  // A store may not have the module: core then registers it as undefined.
  const inventory = container.resolve<unknown>(Modules.INVENTORY, { allowUnregistered: true })
  if (ids.length > 0 && inventory !== undefined) {
    // The items are of this order only: what core does late is harmless, and the cart does not stay locked.
    await waitAtMost(CORE_MS, deleteReservationsByLineItemsWorkflow(container).run({ input: { ids } }))
  }
  const linked = async (entity: string, column: "payment_collection_id" | "promotion_id") =>
    await listLinked(container, entity, column, { order_id: orderId })
  const links = linksOf(orderId, {
    payment_collection_id: await linked("order_payment_collection", "payment_collection_id"),
    promotion_id: await linked("order_promotion", "promotion_id"),
  })
  await container.resolve(ContainerRegistrationKeys.LINK).dismiss(links)
  await container.resolve(Modules.CART).updateCarts([{ id: cartId, completed_at: null }])
  await orders.deleteOrders([orderId])
  warn(
    container,
    `crypto payments: order ${orderId} was begun for cart ${cartId} and not placed, it is removed`
  )
}
