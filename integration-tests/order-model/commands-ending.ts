import { OrderCommand } from "./command"
import { toMoney, type OrderModel } from "./model"
import { EXPIRES_AFTER_MINUTES } from "./stage"
import type { StoreOrder } from "./store-order"

/** What was received and is not sent back. */
function kept({ links }: Readonly<OrderModel>): number {
  return links.reduce((sum, { isPaid, amount, refunded }) => sum + (isPaid ? amount - refunded : 0), 0)
}

export class Cancel extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const { status } = await order.post(`/orders/${order.orderId ?? ""}/cancel`)
    if (status >= 300) {
      return
    }
    const onOrder = model.links.some(({ booked, refunded }) => booked > refunded)
    if (onOrder) {
      order.fault(
        "a paid order is not cancelled",
        "the order is cancelled, and its crypto payment is not sent back"
      )
    }
    model.stage = "canceled"
    model.openChange = null
  }

  toString(): string {
    return "the merchant cancels the order"
  }
}

/** An order that cannot be cancelled becomes a case after so long: the merchant may just be working on it. */
const PATIENCE_MINUTES = 10

/** The order's time is over. Only an order that nobody has paid or closed goes with it. */
export class Expire extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    await order.letMinutesPass(EXPIRES_AFTER_MINUTES + 1)
    if (model.openChange !== null) {
      await order.letMinutesPass(PATIENCE_MINUTES)
    }
    const { status } = await order.shop.knex("order").where({ id: order.orderId }).first("status")
    const isCanceled = status === "canceled"
    const hasMoney = kept(model) > 0 || model.paidOtherwise > 0
    if (isCanceled && hasMoney) {
      order.fault(
        "a paid order does not expire",
        `the order expired, and ${toMoney(kept(model))} was received for it`
      )
    }
    if (isCanceled && model.isClosedByMerchant) {
      order.fault(
        "a finished order does not expire",
        "the order expired, and the merchant had completed or archived it"
      )
    }
    if (!isCanceled && this.mustExpire(model) && !(await order.hasCase())) {
      order.fault(
        "an unpaid order expires",
        `the order's time is over, nobody has paid, and it neither expired nor has a case${model.openChange === null ? "" : ` (open: ${model.openChange})`}`
      )
    }
    if (isCanceled) {
      model.stage = "canceled"
      model.openChange = null
    }
  }

  private mustExpire(model: OrderModel): boolean {
    const isUntouched = model.lines.every(({ fulfilled }) => fulfilled === 0)
    const wasPaid = model.links.some(({ isPaid }) => isPaid) || model.paidOtherwise > 0
    return (
      model.wasPlacedUnpaid && isUntouched && !wasPaid && !model.isClosedByMerchant && model.askable !== null
    )
  }

  toString(): string {
    return "the time of unpaid orders is over"
  }
}

/** Any customer account that knows the order's id can ask for this. */
export class RequestTransfer extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed" && model.openChange === null
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const { status } = await order.post(`/orders/${order.orderId ?? ""}/transfer`, {
      customer_id: order.stage.strangerId,
    })
    if (status < 300) {
      model.openChange = "transfer"
    }
  }

  toString(): string {
    return "the transfer of the order to another customer is requested"
  }
}

export class EndTransfer extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed" && model.openChange === "transfer"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    if ((await order.post(`/orders/${order.orderId ?? ""}/transfer/cancel`)).status < 300) {
      model.openChange = null
    }
  }

  toString(): string {
    return "the transfer request is cancelled"
  }
}

/** The merchant completes the order, or archives it. */
export class Close extends OrderCommand {
  constructor(private readonly how: "complete" | "archive") {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "placed" && !model.isClosedByMerchant
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    if ((await order.post(`/orders/${order.orderId ?? ""}/${this.how}`)).status < 300) {
      model.isClosedByMerchant = true
    }
  }

  toString(): string {
    return `the merchant ${this.how === "complete" ? "completes" : "archives"} the order`
  }
}

export class DeleteDraft extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "draft"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    if ((await order.delete(`/draft-orders/${order.orderId ?? ""}`)).status >= 300) {
      return
    }
    if (kept(model) > 0) {
      order.fault(
        "a paid draft is not deleted",
        `the draft is deleted, and ${toMoney(kept(model))} was received for it`
      )
    }
    model.stage = "deleted"
    model.openChange = null
  }

  toString(): string {
    return "the merchant deletes the draft order"
  }
}

export class ConvertDraft extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.stage === "draft"
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    if ((await order.post(`/draft-orders/${order.orderId ?? ""}/convert-to-order`)).status < 300) {
      model.stage = "placed"
    }
  }

  toString(): string {
    return "the merchant makes the draft an order"
  }
}

/** An hour of outage, or a setting: the region does not offer the provider any more. */
export class SwitchProvider extends OrderCommand {
  check(): boolean {
    return true
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    await switchProvider(model, order)
  }

  toString(): string {
    return "the merchant takes crypto off the region, or puts it back"
  }
}

export async function switchProvider(model: OrderModel, order: StoreOrder): Promise<void> {
  const isOffered = !model.isProviderOffered
  const { status } = await order.post(`/regions/${order.shop.seeded.regions.usd}`, {
    payment_providers: isOffered ? ["pp_crypto_default", "pp_system_default"] : ["pp_system_default"],
  })
  if (status < 300) {
    model.isProviderOffered = isOffered
  }
}
