import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { createReservationsWorkflow } from "@medusajs/medusa/core-flows"
import { resolveLedger } from "../../modules/crypto-payments"
import { warn } from "./settling"

interface OrderToReserve {
  sales_channel?: { stock_locations?: { id: string }[] } | null
  items: {
    id: string
    detail: { quantity: number }
    variant?: {
      manage_inventory: boolean
      allow_backorder: boolean
      inventory_items?: {
        inventory_item_id: string
        required_quantity: number
        inventory?: {
          location_levels?: { location_id: string; stocked_quantity: number; reserved_quantity: number }[]
        }
      }[]
    } | null
  }[]
}

/**
 * Reserves the stock of an order whose completion died before core did. As core does: at the first location of the
 * sales channel that has enough, else at its first one. The admin shows items that are sold out as not allocated.
 */
export async function reserveLostStock(
  container: MedusaContainer,
  cartId: string | null,
  orderId: string
): Promise<void> {
  if (
    cartId === null ||
    !(await resolveLedger(container).unlinkedOrders.isReservationLost(cartId, orderId))
  ) {
    return
  }
  try {
    const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "order",
      fields: [
        "id",
        "sales_channel.stock_locations.id",
        "items.id",
        "items.detail.quantity",
        "items.variant.manage_inventory",
        "items.variant.allow_backorder",
        "items.variant.inventory_items.*",
        "items.variant.inventory_items.inventory.location_levels.*",
      ],
      filters: { id: orderId },
    })
    const reservations = (data as unknown as OrderToReserve[]).flatMap(reservationsOf)
    if (reservations.length > 0) {
      await createReservationsWorkflow(container).run({ input: { reservations } })
      const line = `crypto payments: the server ended before the stock of order ${orderId} was reserved, it is reserved now`
      warn(container, line)
    }
  } catch (error) {
    warn(container, `crypto payments: the stock of order ${orderId} is not reserved`, error)
  }
}

function reservationsOf({ sales_channel, items }: OrderToReserve) {
  const locations = (sales_channel?.stock_locations ?? []).map(({ id }) => id)
  return items.flatMap(({ id, detail, variant }) =>
    variant?.manage_inventory === true
      ? (variant.inventory_items ?? []).flatMap(({ inventory_item_id, required_quantity, inventory }) => {
          const needed = MathBN.mult(required_quantity, detail.quantity).toNumber()
          const levels = (inventory?.location_levels ?? []).filter(({ location_id }) =>
            locations.includes(location_id)
          )
          const level =
            levels.find((each) => each.stocked_quantity - each.reserved_quantity >= needed) ?? levels[0]
          const { allow_backorder } = variant
          const reserved = { line_item_id: id, inventory_item_id, quantity: needed, allow_backorder }
          return level === undefined ? [] : [{ ...reserved, location_id: level.location_id }]
        })
      : []
  )
}
