import { OrderCommand } from "./command"
import { toMoney, type OrderModel } from "./model"
import type { StoreOrder } from "./store-order"
import { until } from "../crash-matrix/rest"

/** The payer pays a link. @param isNotified whether the gateway tells the store at once, or the store has to find out */
export async function payLink(
  model: OrderModel,
  order: StoreOrder,
  index: number,
  isNotified: boolean
): Promise<void> {
  const [link, given] = [model.links[index], order.links[index]]
  if (link === undefined || given === undefined) {
    return
  }
  model.pay(link)
  const { gateway, knex } = order.shop
  await gateway.pay(given.paymentRequestId)
  if (isNotified) {
    await gateway.notify(given.paymentRequestId, { url: order.stage.at.webhookUrl })
    await until(
      async () =>
        await knex("crypto_payment_request")
          .where({ id: given.rowId })
          .first("last_webhook_at", "last_checked_at", "lease_until"),
      (row) =>
        row?.last_webhook_at != null && row.last_checked_at >= row.last_webhook_at && row.lease_until === null
    )
  }
}

/** Any link that was ever given out and is not paid. */
export class PayLink extends OrderCommand {
  constructor(
    private readonly choice: number,
    private readonly isNotified: boolean
  ) {
    super()
  }

  check(model: Readonly<OrderModel>): boolean {
    return model.links.some(({ isPaid }) => !isPaid)
  }

  async act(model: OrderModel, order: StoreOrder): Promise<void> {
    const unpaid = [...model.links.keys()].filter((index) => model.links[index]?.isPaid === false)
    const index = unpaid[this.choice % unpaid.length] ?? 0
    order.story.push(`    it is link ${index + 1}, of ${toMoney(model.links[index]?.amount ?? 0)}`)
    await payLink(model, order, index, this.isNotified)
  }

  toString(): string {
    return `the customer pays one of their links${this.isNotified ? "" : ", and the notification is lost"}`
  }
}
