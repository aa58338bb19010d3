import { OrderCommand } from "./command"
import type { OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** Where an order is edited. A draft has routes of its own. */
function pathOf(order: StoreOrder, isDraft: boolean): string {
  const id = order.orderId ?? ""
  return isDraft ? `/draft-orders/${id}/edit` : `/order-edits/${id}`
}

async function beginEdit(order: StoreOrder, isDraft: boolean): Promise<boolean> {
  const { status } = isDraft
    ? await order.post(pathOf(order, true))
    : await order.post("/order-edits", { order_id: order.orderId })
  return status < 300
}

/** Begins an edit, changes one thing and confirms. @returns whether the store let it through; else nothing is changed */
async function edit(order: StoreOrder, isDraft: boolean, path: string, body: unknown): Promise<boolean> {
  if (!(await beginEdit(order, isDraft))) {
    return false
  }
  const base = pathOf(order, isDraft)
  const isDone = await order.postAll([[`${base}${path}`, body], [`${base}/confirm`]])
  if (!isDone) {
    await order.delete(base)
  }
  return isDone
}

function oneMore({ variantId }: StoreOrder): unknown {
  return { items: [{ variant_id: variantId, quantity: 1 }] }
}

export class EditUp extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    if (await edit(order, model.stage === "draft", "/items", oneMore(order))) {
      model.addLine(1)
    }
  }

  toString(): string {
    return "the merchant edits the order and adds one unit"
  }
}

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
    if (await edit(order, model.stage === "draft", path, { quantity: line.quantity - 1 })) {
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

export class BeginEdit extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive && model.openChange === null
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const isDraft = model.stage === "draft"
    if (!(await beginEdit(order, isDraft))) {
      return
    }
    if (await order.postAll([[`${pathOf(order, isDraft)}/items`, oneMore(order)]])) {
      model.openChange = "edit"
    } else {
      await order.delete(pathOf(order, isDraft))
    }
  }

  toString(): string {
    return "the merchant begins an edit that adds one unit, and leaves it open"
  }
}

export class EndEdit extends OrderCommand {
  constructor(private readonly isUndone: boolean) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.isLive && model.openChange === "edit"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const path = pathOf(order, model.stage === "draft")
    const { status } = this.isUndone ? await order.delete(path) : await order.post(`${path}/confirm`)
    if (status < 300) {
      model.openChange = null
      if (!this.isUndone) {
        model.addLine(1)
      }
    }
  }

  toString(): string {
    return this.isUndone ? "the merchant undoes the open edit" : "the merchant confirms the open edit"
  }
}
