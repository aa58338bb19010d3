import { OrderCommand } from "./command"
import type { OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** Everything that can be shipped is shipped. */
async function ship(model: OrderModel, order: StoreOrder): Promise<void> {
  const items = model.lines.flatMap(({ quantity, fulfilled }, index) =>
    quantity > fulfilled ? { id: order.lineIds[index], quantity: quantity - fulfilled } : []
  )
  const { status } = await order.post(`/orders/${order.orderId ?? ""}/fulfillments`, {
    location_id: order.shop.seeded.stockLocationId,
    items,
  })
  if (status < 300) {
    for (const line of model.lines) {
      line.fulfilled = line.quantity
    }
  }
}

function canShip({ stage, lines }: Readonly<OrderModel>): boolean {
  return stage === "placed" && lines.some(({ quantity, fulfilled }) => quantity > fulfilled)
}

export class Ship extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return canShip(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    await ship(model, order)
  }

  toString(): string {
    return "the merchant packs all units of the order"
  }
}

/** The first line with a unit that was shipped and is not on its way back. */
function returnable({ lines }: Readonly<OrderModel>): number {
  return lines.findIndex(({ fulfilled, returning, returned }) => fulfilled > returning + returned)
}

/** Packs the order before, if nothing of it was. */
function canReturn(model: Readonly<OrderModel>): boolean {
  const isFree = model.openChange === null && model.returning === null
  return model.stage === "placed" && isFree && (returnable(model) >= 0 || canShip(model))
}

/** @returns the line of a unit that can come back; -1 when the store let none be packed */
async function pickReturnable(model: OrderModel, order: StoreOrder): Promise<number> {
  if (returnable(model) < 0) {
    order.story.push("    it is packed before")
    await ship(model, order)
  }
  return returnable(model)
}

export class RequestReturn extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return canReturn(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const index = await pickReturnable(model, order)
    if (index < 0) {
      return
    }
    const begun = await order.post("/returns", {
      order_id: order.orderId,
      location_id: order.shop.seeded.stockLocationId,
    })
    if (begun.status >= 300) {
      return
    }
    const id = begun.data.return.id as string
    const items = { items: [{ id: order.lineIds[index], quantity: 1 }] }
    const isDone = await order.postAll([[`/returns/${id}/request-items`, items], [`/returns/${id}/request`]])
    if (!isDone) {
      await order.delete(`/returns/${id}/request`)
      return
    }
    sendBack(model, index)
    model.returning = { line: index, quantity: 1 }
    order.returnId = id
  }

  toString(): string {
    return "the customer asks to return one unit"
  }
}

export class EndReturn extends OrderCommand {
  constructor(private readonly isReceived: boolean) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed" && model.openChange === null && model.returning !== null
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const id = order.returnId ?? ""
    const line = model.lines[model.returning?.line ?? 0]
    if (line === undefined) {
      return
    }
    const isDone = this.isReceived
      ? await this.receive(order, id, order.lineIds[model.returning?.line ?? 0] ?? "")
      : (await order.post(`/returns/${id}/cancel`)).status < 300
    if (isDone) {
      line.returning--
      line.returned += this.isReceived ? 1 : 0
      model.returning = null
    }
  }

  private async receive(order: StoreOrder, id: string, lineId: string): Promise<boolean> {
    const isBegun = await order.postAll([[`/returns/${id}/receive`]])
    if (!isBegun) {
      return false
    }
    const items = { items: [{ id: lineId, quantity: 1 }] }
    const isDone = await order.postAll([
      [`/returns/${id}/receive-items`, items],
      [`/returns/${id}/receive/confirm`],
    ])
    if (!isDone) {
      await order.delete(`/returns/${id}/receive`)
    }
    return isDone
  }

  toString(): string {
    return this.isReceived ? "the merchant receives the returned unit" : "the merchant cancels the return"
  }
}

/** One unit comes back, and others are sent for it. */
export class Exchange extends OrderCommand {
  constructor(private readonly sent: number) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return canReturn(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    await replace(model, order, { kind: "exchanges", sent: this.sent })
  }

  toString(): string {
    return `the merchant exchanges one unit for ${this.sent === 1 ? "another" : String(this.sent)}`
  }
}

/** The customer complains about one unit, sends it back, and is sent another. */
export class Claim extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return canReturn(model)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    await replace(model, order, { kind: "claims", sent: 1 })
  }

  toString(): string {
    return "the customer claims one unit, which comes back and is replaced"
  }
}

async function replace(
  model: OrderModel,
  order: StoreOrder,
  { kind, sent }: { kind: "exchanges" | "claims"; sent: number }
): Promise<void> {
  const index = await pickReturnable(model, order)
  if (index < 0) {
    return
  }
  const begun = await order.post(`/${kind}`, {
    order_id: order.orderId,
    ...(kind === "claims" ? { type: "replace" } : {}),
  })
  if (begun.status >= 300) {
    return
  }
  const id = (begun.data.exchange ?? begun.data.claim).id as string
  const inbound = { items: [{ id: order.lineIds[index], quantity: 1 }] }
  const outbound = { items: [{ variant_id: order.variantId, quantity: sent }] }
  const isDone = await order.postAll([
    ...(kind === "claims" ? ([[`/claims/${id}/claim-items`, inbound]] as [string, unknown][]) : []),
    [`/${kind}/${id}/inbound/items`, { ...inbound, location_id: order.shop.seeded.stockLocationId }],
    [`/${kind}/${id}/outbound/items`, outbound],
    [`/${kind}/${id}/request`],
  ])
  if (!isDone) {
    await order.delete(`/${kind}/${id}/request`)
    return
  }
  sendBack(model, index)
  model.addLine(sent)
}

function sendBack(model: OrderModel, index: number): void {
  const line = model.lines[index]
  if (line !== undefined) {
    line.returning++
  }
}
