import { OrderCommand } from "./command"
import { toMoney, type OrderModel } from "./model"
import type { StoreOrder } from "./store-order"

/** The merchant sent money back in the gateway's dashboard, and says so. */
export class RegisterRefund extends OrderCommand {
  constructor(
    private readonly choice: number,
    private readonly isPart: boolean
  ) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return refundable(model).length > 0
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const paid = refundable(model)
    const index = paid[this.choice % paid.length] ?? 0
    const link = model.links[index]
    if (link === undefined) {
      return
    }
    const left = link.amount - link.refunded
    const amount = this.isPart ? Math.ceil(left / 2) : left
    order.story.push(`    it is ${toMoney(amount)} of link ${index + 1}`)
    const { status, data } = await order.post(`/crypto-payments/${order.links[index]?.rowId ?? ""}/refunds`, {
      amount: toMoney(amount),
      reference: order.nextReference(),
    })
    if (status < 300) {
      model.refund(link, amount)
    } else if (model.openChange === "transfer" && status === 400 && (await isNoticed(order, index))) {
      order.fault(
        "a transfer does not stop a refund",
        `a refund is refused while only a transfer is requested: ${String(data?.message)}`
      )
    }
  }

  toString(): string {
    return `the merchant registers a refund of ${this.isPart ? "a part" : "all that is left"} of a payment`
  }
}

/** Whether the store knows that the link is paid. A payment whose notification is lost is known after its next check. */
async function isNoticed({ shop, links }: StoreOrder, index: number): Promise<boolean> {
  const row = await shop.knex("crypto_payment_request").where({ id: links[index]?.rowId }).first("paid_at")
  return row?.paid_at != null
}

function refundable({ links }: Readonly<OrderModel>): number[] {
  return [...links.keys()].filter((index) => {
    const link = links[index]
    return link !== undefined && link.isPaid && link.refunded < link.amount
  })
}
