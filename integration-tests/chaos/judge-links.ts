import type { AxiosResponse } from "axios"
import type { StoreCluster } from "../support/cluster/store-cluster"
import type { Facts, LedgerRow, MedusaOrder } from "../support/facts"
import { inParallel } from "../support/in-parallel"
import type { Finding } from "../support/judge"
import { isSame, isSurelyMore } from "../support/money"
import { PayPages } from "../support/pay-page"
import { OF_PAGES } from "./acts"
import type { Merchant } from "./merchant"

const AT_ONCE = 4

/** What shoppers and merchants are told of each order that has a link. Asking for links makes some, so this is last. */
export async function judgeLinks(cluster: StoreCluster, facts: Facts, merchant: Merchant) {
  const orders = facts.orders.filter(
    ({ id, isPaidOtherwise }) => !isPaidOtherwise && facts.ledger.some(({ orderId }) => orderId === id)
  )
  const shopper = cluster.shopper(cluster.server(0))
  const office = merchant.backOffice(0)
  const { asAdmin } = office
  const pages = new PayPages(office)
  const amountOf = async ({ data }: AxiosResponse): Promise<number | undefined> => {
    const link = (data as { payment_link?: string }).payment_link
    if (link === undefined) {
      return undefined
    }
    const row = await cluster
      .knex("crypto_payment_request")
      .where({ payment_link: link })
      .first("payment_request_id")
    return Number((await cluster.gateway.payment(row.payment_request_id as string)).amount)
  }

  const isHeld = ({ paid_at, captured, isOpen, reason }: LedgerRow): boolean =>
    paid_at !== null && isSame(captured, 0) && isOpen && reason !== null

  /** A link asked for is one more session, to which such money is bound. */
  const isWaiting = (row: LedgerRow, owed: number): boolean =>
    isHeld(row) &&
    facts.gateway.some((one) => one.payment_request_id === row.payment_request_id && isSame(one.amount, owed))

  /** Only the pay page itself says what it asks for. */
  const judgePayPage = async (id: string, owed: number): Promise<string[]> => {
    const { status, data } = await pages.get(await pages.of(id, OF_PAGES))
    const [, shown] = /class="amount"><bdi>([\d,.]+)/.exec(data) ?? []
    const asked = data.includes(">Pay with crypto<") ? Number(shown?.replaceAll(",", "")) : undefined
    return status === 200 && (asked === undefined || isSame(asked, owed))
      ? []
      : [`the pay page answers ${status} and asks for ${String(asked)}, and ${owed} is owed`]
  }

  const judgePage = async (order: MedusaOrder, { session_id }: LedgerRow): Promise<string[]> => {
    const answer = await shopper.statusOf(session_id, order.cart_id ?? "")
    const owed = order.isLive ? Math.max(Number(order.owed), 0) : 0
    const given = await amountOf(answer)
    const held = facts.ledger.find((row) => row.orderId === order.id && isHeld(row))
    return [
      ...(given !== undefined && held
        ? [
            `the page of ${session_id} offers a link while ${held.payment_request_id} has the case ${held.reason}`,
          ]
        : []),
      ...(answer.status >= 500 ? [`the shopper's page answers ${String(answer.status)}`] : []),
      ...(order.isLive && owed === 0 && answer.data.status === "awaiting_payment"
        ? [`the page of ${session_id} awaits a payment, and nothing is owed`]
        : []),
      ...(given !== undefined && isSurelyMore(given, owed)
        ? [`the page of ${session_id} offers a link of ${given}, and ${owed} is owed`]
        : []),
    ]
  }

  const judgeOffer = async ({ id, isLive, owed: sum, hasOpenChange }: MedusaOrder): Promise<string[]> => {
    if (hasOpenChange) {
      return []
    }
    const owed = isLive ? Math.max(Number(sum), 0) : 0
    const wrong = isLive ? await judgePayPage(id, owed) : []
    if (wrong.length > 0) {
      return wrong
    }
    const answer = await asAdmin.post(`/crypto-payments/orders/${id}/payment-link`, {})
    const given = await amountOf(answer)
    if (answer.status >= 500) {
      return [`payment-link answers ${String(answer.status)}`]
    }
    if (given === undefined) {
      // Nobody is asked to pay again while a link may be paid already, or while received money waits for exactly this.
      const mayBePaid = facts.ledger.some(
        (row) => row.orderId === id && (row.isOnlyReported || isWaiting(row, owed))
      )
      return owed === 0 || mayBePaid
        ? []
        : [`${owed} is owed, and payment-link answers ${answer.status} ${String(answer.data.message)}`]
    }
    return isSame(given, owed) ? [] : [`payment-link gives a link of ${given}, and ${owed} is owed`]
  }

  const found = await inParallel(orders.length, AT_ONCE, async (index) => {
    const order = orders[index] as MedusaOrder
    const rows = facts.ledger.filter((row) => row.orderId === order.id && row.payment_request_id !== null)
    const pages = await Promise.all(rows.map((row) => judgePage(order, row)))
    const whys = [...pages.flat(), ...(await judgeOffer(order))]
    return whys.map((why): Finding => ({ verdict: "untrue", id: order.id, why }))
  })
  return found.flat()
}
