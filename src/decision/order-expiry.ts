/** How long a payment that has begun holds its order, at the gateway or at another provider. */
export const PAYING_GRACE_MS = 24 * 60 * 60 * 1000

/** Times are the database's. */
export interface OrderTime {
  /**
   * Start of its time: when it was placed with its first link, a payment that had stopped its time was cancelled, or
   * the merchant last changed it or asked for a link. Null when it is not cancelled automatically.
   */
  order_expires_from: Date | null
  /** When a storefront last opened a payment session or link of any provider on the order. */
  order_prolonged_at: Date | null
  /** When the newest session of another provider that waits for its authorization was opened. */
  order_payment_began_at: Date | null
  /** How long the order may stay unpaid; null without a limit. */
  unpaid_ttl_minutes: number | null
}

/**
 * When an order that nobody pays is cancelled; null for never. Anybody who knows the id of the payment collection can
 * open sessions on it. So a session restarts the order's time, up to twice that time in all. A payment of another
 * provider that has begun holds the order for a day, and for no longer than a day after that.
 */
export function orderExpiresAt({
  order_expires_from,
  order_prolonged_at,
  order_payment_began_at,
  unpaid_ttl_minutes,
}: OrderTime): Date | null {
  if (order_expires_from === null || unpaid_ttl_minutes === null) {
    return null
  }
  const ttlMs = unpaid_ttl_minutes * 60_000
  const fromMs = order_expires_from.getTime()
  const latestMs = fromMs + 2 * ttlMs
  const prolongedMs = Math.max(fromMs, order_prolonged_at?.getTime() ?? fromMs)
  const expiresAtMs = Math.min(prolongedMs + ttlMs, latestMs)
  const heldMs = Math.min(order_payment_began_at?.getTime() ?? -Infinity, latestMs) + PAYING_GRACE_MS
  return new Date(Math.max(expiresAtMs, heldMs))
}
