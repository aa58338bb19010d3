import { orderExpiresAt, type OrderTime } from "../../../decision"
import { queryByIds, queryStore } from "../store-query"

/** What is known of a row's order: `order_expires_from` is without changes of its price. */
export interface KnownOrderTime extends OrderTime {
  order_id: string | null
  database_now: Date
}

/** When an unpaid order is cancelled, and what keeps core from it at that time. */
export interface OrderEnd {
  order_expires_at: Date | null
  order_obstacle: string | null
}

interface OrderChange {
  order_id: string
  change_type: string | null
  status: string
  confirmed_at: Date | string | null
}

/** Changes by which the merchant sets a new price. Anybody can request a return or a transfer. */
const OF_PRICE: readonly (string | null)[] = ["edit", "exchange", "claim"]

/** @returns of each row, in their order. Asks core only about orders that have a limit */
export async function readOrderEnds(rows: readonly KnownOrderTime[]): Promise<OrderEnd[]> {
  const limited = rows.filter((row) => row.order_expires_from !== null && row.unpaid_ttl_minutes !== null)
  const changes = await readChanges(idsOf(limited))
  const ends = rows.map((row): OrderEnd => {
    const own = changes.filter(({ order_id }) => order_id === row.order_id)
    const open = own.find(({ status }) => status !== "confirmed")
    return {
      order_expires_at: orderExpiresAt({ ...row, order_expires_from: restartedAt(row, own) }),
      order_obstacle: open === undefined ? null : (open.change_type ?? "edit"),
    }
  })
  const overdue = rows.filter((row, index) => {
    const expiresAt = ends[index]?.order_expires_at ?? null
    return expiresAt !== null && expiresAt <= row.database_now
  })
  const shipped = await listShipped(idsOf(overdue))
  return ends.map((end, index) => {
    const isShipped = shipped.has(rows[index]?.order_id ?? "")
    return isShipped ? { ...end, order_obstacle: "fulfillment" } : end
  })
}

const idsOf = (rows: readonly KnownOrderTime[]): string[] => rows.flatMap(({ order_id }) => order_id ?? [])

function restartedAt({ order_expires_from: from }: KnownOrderTime, changes: OrderChange[]): Date | null {
  const confirmed = changes.filter(({ change_type }) => OF_PRICE.includes(change_type))
  const times = confirmed.map(({ confirmed_at }) => new Date(confirmed_at ?? 0).getTime())
  return from && new Date(Math.max(from.getTime(), ...times))
}

async function readChanges(orderIds: readonly string[]): Promise<OrderChange[]> {
  const fields = ["order_id", "change_type", "status", "confirmed_at"]
  const status = ["confirmed", "pending", "requested"]
  const filters = { order_id: [...orderIds], status }
  return orderIds.length === 0 ? [] : await queryStore<OrderChange>("order_change", fields, filters)
}

/** Core cancels no order that has a fulfilment. */
async function listShipped(orderIds: readonly string[]): Promise<Set<string>> {
  const fields = ["id", "fulfillments.id", "fulfillments.canceled_at"]
  type Shipping = { id: string; fulfillments?: { canceled_at: Date | null }[] | null }
  const orders = await queryByIds<Shipping>("order", fields, orderIds)
  const shipped = [...orders.values()].filter(({ fulfillments }) =>
    fulfillments?.some(({ canceled_at }) => canceled_at === null)
  )
  return new Set(shipped.map(({ id }) => id))
}
