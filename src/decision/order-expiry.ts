/** A payment that is under way holds its order for a day: at the gateway, or at another provider. */
export const PAYING_GRACE_MS = 24 * 60 * 60 * 1000

/** What the time of an order that was placed unpaid depends on. Times of the database. */
export interface OrderTime {
  /**
   * From when its time counts: when it was placed with its first link, when a payment that had stopped its time was
   * cancelled, when the merchant last changed what it costs, or when the merchant last asked for a link. Null when it is
   * not cancelled by itself.
   */
  order_expires_from: Date | null
  /** When a storefront last opened a payment session or link of any provider on it. */
  order_prolonged_at: Date | null
  /** When the newest session of another provider was opened that waits for its authorization; null without one. */
  order_payment_began_at: Date | null
}

/**
 * When an order that nobody pays is cancelled; null for never. The only place that says so.
 *
 * Anybody who knows the id of the payment collection can open sessions on it. So a session gives the order its time
 * again, but never more than twice the time in all. Another provider's payment that is under way holds the order for a
 * day, and for no longer than a day after that.
 *
 * @param ttlMs how long an order may stay unpaid; null without a limit
 */
export function orderExpiresAt(
  { order_expires_from, order_prolonged_at, order_payment_began_at }: OrderTime,
  ttlMs: number | null
): Date | null {
  if (order_expires_from === null || ttlMs === null) {
    return null
  }
  const fromMs = order_expires_from.getTime()
  const latestMs = fromMs + 2 * ttlMs
  const prolongedMs = Math.max(fromMs, order_prolonged_at?.getTime() ?? fromMs)
  const expiresAtMs = Math.min(prolongedMs + ttlMs, latestMs)
  const heldMs = Math.min(order_payment_began_at?.getTime() ?? -Infinity, latestMs) + PAYING_GRACE_MS
  return new Date(Math.max(expiresAtMs, heldMs))
}
