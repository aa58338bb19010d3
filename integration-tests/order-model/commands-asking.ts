import { OrderCommand } from "./command"
import { toCents, toMoney, type OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** The merchant asks for the money: all that is missing, or a deposit. */
export class AskForPayment extends OrderCommand {
  constructor(private readonly isDeposit: boolean) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.isLive && model.askable !== null
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const owed = model.askable ?? 0
    const amount = this.isDeposit ? Math.ceil(owed / 2) : owed
    const created = await order.post("/payment-collections", {
      order_id: order.orderId,
      amount: Number(toMoney(amount)),
    })
    if (created.status < 300) {
      if (this.isDeposit) {
        model.deposits.push(amount)
      }
      await order.post(
        `/payment-collections/${String(created.data.payment_collection.id)}/payment-sessions`,
        {
          provider_id: "pp_crypto_default",
        }
      )
    }
  }

  toString(): string {
    return this.isDeposit
      ? "the merchant asks for half of what is owed as a deposit"
      : "the merchant asks for what is owed with a payment collection of its own"
  }
}

/** The merchant wants a link to send. */
export class SecondLink extends OrderCommand {
  constructor(private readonly choice: number) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.isLive
  }

  async act(_: OrderModel, order: StoreOrder): Promise<void> {
    const given = order.links[this.choice % order.links.length]
    await order.post(`/crypto-payments/${given?.rowId ?? ""}/payment-link`)
  }

  toString(): string {
    return "the merchant asks for a payment link of the order"
  }
}

/** The customer opens the payment step of the order again, by whichever collection is open. */
export class ReopenPaymentStep extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive || model.stage === "cart"
  }

  async act(_: OrderModel, order: StoreOrder): Promise<void> {
    const collection = await openCollection(order)
    if (collection !== undefined) {
      order.heed(
        "/store/payment-collections/payment-sessions",
        await order.shopper.openSession(collection.id)
      )
    }
  }

  toString(): string {
    return "the customer opens the payment step again"
  }
}

/** The merchant was paid in another way, also when nothing is owed any more: then it is too much. */
export class MarkAsPaid extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const collection = await openCollection(order)
    if (collection === undefined) {
      return
    }
    const { status } = await order.post(`/payment-collections/${collection.id}/mark-as-paid`, {
      order_id: order.orderId,
    })
    if (status < 300) {
      model.paidOtherwise += toCents(collection.amount)
      model.cameTooMuch ||= model.owed < 0
    }
  }

  toString(): string {
    return "the merchant marks the open payment collection as paid"
  }
}

/** The merchant takes back what was asked for. The link of it was given out, and can be paid all the same. */
export class DeleteCollection extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive
  }

  async act(_: OrderModel, order: StoreOrder): Promise<void> {
    const collection = await openCollection(order)
    if (collection !== undefined) {
      await order.delete(`/payment-collections/${collection.id}`)
    }
  }

  toString(): string {
    return "the merchant deletes the open payment collection"
  }
}

/** The newest collection that nobody has paid. */
async function openCollection(order: StoreOrder): Promise<{ id: string; amount: string } | undefined> {
  const { collectionIds } = await order.scope()
  return await order.shop
    .knex("payment_collection")
    .whereIn("id", collectionIds)
    .whereIn("status", ["not_paid", "awaiting"])
    .whereNull("deleted_at")
    .orderBy("created_at", "desc")
    .first<{ id: string; amount: string } | undefined>("id", "amount")
}

/** The merchant takes something off what is owed. */
export class CreditLine extends OrderCommand {
  check(model: Readonly<OrderModel>): boolean {
    return model.isLive && model.openChange === null && model.askable !== null
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const amount = Math.min(model.askable ?? 0, CREDIT)
    const { status } = await order.post(`/orders/${order.orderId ?? ""}/credit-lines`, {
      amount: Number(toMoney(amount)),
      reference: "goodwill",
      reference_id: order.nextReference(),
    })
    if (status < 300) {
      model.credits += amount
    }
  }

  toString(): string {
    return `the merchant gives a credit of ${toMoney(CREDIT)}, or of all that is owed`
  }
}

const CREDIT = 300
