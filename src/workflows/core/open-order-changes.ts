import type {
  IOrderModuleService,
  MedusaContainer,
  OrderChangeDTO,
  UpdateOrderChangeDTO,
} from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import { isInterrupted } from "./interrupted"

/** Changes of an order that are neither confirmed nor cancelled. Core lets an order have one at a time. */
async function listOpenChanges(container: MedusaContainer, orderId: string): Promise<OrderChangeDTO[]> {
  return await container
    .resolve(Modules.ORDER)
    .listOrderChanges({ order_id: orderId, status: ["pending", "requested"] })
}

/** A request to move the order to another customer's account. It changes neither what is sold nor what is owed. */
export function isTransfer({ change_type }: OrderChangeDTO): boolean {
  return change_type === "transfer"
}

/** A change of another kind than core's types name. */
const isCreditLine = ({ change_type }: { change_type?: string }): boolean => change_type === "credit_line"

/**
 * Takes back the credit line of a refund or a cancellation that core did not finish because its process died. Core
 * leaves it as an open change, and would never again book a refund or cancel the order.
 *
 * @returns the order's other open changes, which are somebody's work
 */
export async function dropInterruptedCredit(
  container: MedusaContainer,
  orderId: string
): Promise<OrderChangeDTO[]> {
  const open = await listOpenChanges(container, orderId)
  if (open.length === 0) {
    return []
  }
  const now = await resolveLedger(container).facts.now()
  const isDead = (change: OrderChangeDTO): boolean =>
    isCreditLine(change) && isInterrupted(now.getTime() - new Date(change.created_at).getTime())
  for (const { id } of open.filter(isDead)) {
    await container.resolve(Modules.ORDER).cancelOrderChange(id)
  }
  return open.filter((change) => !isDead(change))
}

/**
 * Core creates no credit line and cancels no order while any change of the order is open. A request to transfer the
 * order to another account changes nothing about money, and any customer who knows the order's id can make one. So the
 * request is set aside for about a second while the plugin works, and then given back: see docs/adr/0012. The mark
 * stores the state to return to, also when the process dies in between.
 */
const MARK = "crypto_payment_set_aside"
/** Core removes a metadata key that is set to this. */
const NO_MARK = { [MARK]: "" }

interface SetAside {
  id: string
  status: string
}

/**
 * Does the work while no transfer request of the order is open. Then each is open again.
 *
 * @param reason once the work is done, the requests are declined for this reason instead
 */
export async function withTransfersSetAside<T>(
  container: MedusaContainer,
  orderId: string,
  work: () => Promise<T>,
  reason?: string
): Promise<T> {
  const transfers = await setTransfersAside(container, orderId)
  let declined_reason: string | undefined
  try {
    const result = await work()
    declined_reason = reason
    return result
  } finally {
    if (declined_reason === undefined) {
      await giveTransfersBack(container, orderId, transfers)
    } else {
      const declined = { metadata: NO_MARK, declined_at: new Date(), declined_reason }
      for (const { id } of transfers) {
        await container.resolve(Modules.ORDER).updateOrderChanges({ id, ...declined })
      }
    }
  }
}

/** @returns requests to give back or decline, also those that a dead process has set aside */
async function setTransfersAside(container: MedusaContainer, orderId: string): Promise<SetAside[]> {
  const orders = container.resolve(Modules.ORDER)
  const declined = await orders.listOrderChanges({ order_id: orderId, status: "declined" })
  const left = declined.flatMap(({ id, metadata }) => {
    const status = metadata?.[MARK]
    return typeof status === "string" ? [{ id, status }] : []
  })
  const open = (await listOpenChanges(container, orderId)).filter(isTransfer)
  for (const { id, status } of open) {
    // Not of the order's next version: when core takes a change back, it opens all changes of that version.
    await updateChange(orders, orderId, { id, status: "declined", metadata: { [MARK]: status } }, 2)
  }
  return [...left, ...open.map(({ id, status }) => ({ id, status }))]
}

/**
 * Opens the requests again. While core has left a change open, for up to a minute, the next try opens them. Another
 * request or an edit that was begun meanwhile ends them, because core allows one open change.
 */
async function giveTransfersBack(
  container: MedusaContainer,
  orderId: string,
  transfers: readonly SetAside[]
): Promise<void> {
  const orders = container.resolve(Modules.ORDER)
  for (const { id, status } of transfers) {
    const [inTheWay] = await listOpenChanges(container, orderId)
    if (inTheWay === undefined) {
      await updateChange(orders, orderId, { id, status, metadata: NO_MARK }, 1)
    } else if (!isCreditLine(inTheWay)) {
      await orders.updateOrderChanges({ id, metadata: NO_MARK, declined_at: new Date() })
    }
  }
}

/** @param ahead how many versions after the order's own one. Confirming a change begins the next version. */
async function updateChange(
  orders: IOrderModuleService,
  orderId: string,
  update: UpdateOrderChangeDTO,
  ahead: number
): Promise<void> {
  const order = await orders.retrieveOrder(orderId, { select: ["id", "version"] })
  const { actions } = await orders.retrieveOrderChange(update.id, { relations: ["actions"] })
  // Core's types of updates have no version.
  const version = { version: order.version + ahead }
  await orders.updateOrderChangeActions(actions.map(({ id }) => ({ id, ...version })))
  await orders.updateOrderChanges({ ...update, ...version })
}
