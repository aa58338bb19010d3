import { OrderCommand } from "./command"
import type { OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** An order is edited, a draft has routes of its own. */
async function edit(
  order: StoreOrder,
  isDraft: boolean,
  change: [path: string, body: unknown]
): Promise<boolean> {
  const id = order.orderId ?? ""
  const base = isDraft ? `/draft-orders/${id}/edit` : `/order-edits/${id}`
  const [path, body] = change
  const begun = await order.post(isDraft ? base : "/order-edits", isDraft ? {} : { order_id: id })
  if (begun.status >= 300) {
    return false
  }
  const isDone = await order.postAll([[`${base}${path}`, body], [`${base}/confirm`]])
  if (!isDone) {
    await order.delete(base)
  }
  return isDone
}

/** The merchant adds one unit. */
export class EditUp extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const items = { items: [{ variant_id: order.variantId, quantity: 1 }] }
    if (await edit(order, model.stage === "draft", ["/items", items])) {
      model.addLine(1)
    }
  }

  toString(): string {
    return "the merchant edits the order and adds one unit"
  }
}

/** The merchant takes one unit away. */
export class EditDown extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive && removable(model) >= 0
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const index = removable(model)
    const line = model.lines[index]
    if (line === undefined) {
      return
    }
    const path = `/items/item/${order.lineIds[index] ?? ""}`
    if (await edit(order, model.stage === "draft", [path, { quantity: line.quantity - 1 }])) {
      line.quantity--
    }
  }

  toString(): string {
    return "the merchant edits the order and takes one unit away"
  }
}

/** The last line with units that are not shipped. */
function removable({ lines }: Readonly<OrderModel>): number {
  return lines.findLastIndex(({ quantity, fulfilled }) => quantity > fulfilled)
}
