import type { ConfirmVariantInventoryWorkflowInputDTO, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MathBN } from "@medusajs/framework/utils"
import { confirmVariantInventoryWorkflow, createReservationsWorkflow } from "@medusajs/medusa/core-flows"
import { resolveLedger } from "../../modules/crypto-payments"
import { warn } from "./settling"

type Item = ConfirmVariantInventoryWorkflowInputDTO["items"][number]
type Variant = ConfirmVariantInventoryWorkflowInputDTO["variants"][number]

interface OrderToReserve {
  sales_channel_id: string
  items: (Item & { variant?: Variant | null })[]
}

const LEVELS = "items.variant.inventory_items.inventory.location_levels"

/**
 * Reserves the stock of an order whose completion died before core did, as core does: core chooses the locations. When
 * core cannot reserve one of the items, none is reserved, and the admin shows them as not allocated.
 */
export async function reserveLostStock(
  container: MedusaContainer,
  cartId: string | null,
  orderId: string
): Promise<void> {
  if (!(await resolveLedger(container).unlinkedOrders.isReservationLost(cartId, orderId))) {
    return
  }
  try {
    const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
      entity: "order",
      fields: [
        "sales_channel_id",
        "items.*",
        "items.variant.id",
        "items.variant.manage_inventory",
        "items.variant.allow_backorder",
        "items.variant.inventory_items.*",
        `${LEVELS}.*`,
        `${LEVELS}.stock_locations.id`,
        `${LEVELS}.stock_locations.sales_channels.id`,
      ],
      filters: { id: orderId },
    })
    const [order] = data as unknown as [OrderToReserve]
    const { sales_channel_id, items } = order
    const variants = items.flatMap(({ variant }) => variant ?? [])
    const { result } = await confirmVariantInventoryWorkflow(container).run({
      input: { sales_channel_id, items, variants },
    })
    const reservations = result.items.map(
      ({ id = "", required_quantity, quantity, location_ids, ...reserved }) => ({
        ...reserved,
        line_item_id: id,
        quantity: MathBN.mult(required_quantity, quantity),
        location_id: location_ids[0] ?? "",
      })
    )
    if (reservations.length > 0) {
      await createReservationsWorkflow(container).run({ input: { reservations } })
      const line = `crypto payments: the server ended before the stock of order ${orderId} was reserved, it is reserved now`
      warn(container, line)
    }
  } catch (error) {
    warn(container, `crypto payments: the stock of order ${orderId} is not reserved`, error)
  }
}
