import type { MedusaContainer } from "@medusajs/framework/types"
import { MathBN, Modules } from "@medusajs/framework/utils"
import { isMoreThan } from "../../decision"
import { finishOrderLinks } from "./finish-order-links"
import { recomputeCollectionSums } from "./collection-sums"
import { warn, type Settling } from "./settling"

/**
 * Finishes what core left when its process died after it had linked the order to its cart: the other links, and one
 * booking of the captured amount. Core itself cannot: with the cart's link it skips everything. Looking first, under
 * the row's lease, prevents a second booking.
 */
export async function bookCapture({
  container,
  row,
  facts: { order_id, payment_id, payment_captured },
}: Omit<Settling, "lease">): Promise<void> {
  if (order_id === null || payment_id === null || !isMoreThan(payment_captured, "0")) {
    return
  }
  await finishOrderLinks({ container, row }, order_id)
  const { removed, added } = await alignBookings(container, order_id, payment_id)
  if (removed > 0) {
    const changes = `${String(removed)} bookings were removed and ${String(added)} added`
    const line = `crypto payment ${row.id}: order ${order_id} had not booked exactly what was captured: ${changes}`
    warn(container, line)
  }
  // Core sums up after it has written the capture, and may have died before that too.
  await recomputeCollectionSums(container, row.payment_collection_id)
}

/**
 * Makes sure that an order has exactly one booking of each capture of a payment, of the captured amount.
 *
 * Core checks whether a capture is booked and books it in two statements, and no constraint prevents a second booking.
 * Only the cart's lock keeps `process-payment` and `complete-cart` from booking at once, so lost locks lead to two
 * bookings. Call this under that lock and the row's lease.
 *
 * @returns how many bookings were removed and added
 */
export async function alignBookings(
  container: MedusaContainer,
  orderId: string,
  paymentId: string
): Promise<{ removed: number; added: number }> {
  const orders = container.resolve(Modules.ORDER)
  const captures = await container.resolve(Modules.PAYMENT).listCaptures({ payment_id: [paymentId] })
  const { currency_code } = await orders.retrieveOrder(orderId, { select: ["id", "currency_code"] })
  let [removed, added] = [0, 0]
  for (const { id, amount } of captures) {
    const booked = await orders.listOrderTransactions(
      { order_id: orderId, reference: "capture", reference_id: id },
      { order: { created_at: "ASC", id: "ASC" } }
    )
    const right = booked.find((transaction) => MathBN.eq(transaction.amount, amount))
    const surplus = booked.filter((transaction) => transaction !== right).map((transaction) => transaction.id)
    if (surplus.length > 0) {
      await orders.deleteOrderTransactions(surplus)
      removed += surplus.length
    }
    if (right === undefined) {
      await orders.addOrderTransactions({
        order_id: orderId,
        amount,
        currency_code,
        reference: "capture",
        reference_id: id,
      })
      added++
    }
  }
  return { removed, added }
}
