import { untilNone } from "../support/wait-until"
import type { Checkout } from "./flow"
import type { Shop } from "./shop"

/** What is still to be done for a checkout, as the database says. Empty at rest. */
export async function whatIsLeft({ knex }: Shop, { cartId, paid }: Checkout): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { left: string | null }[] }>(
    `SELECT CASE
              WHEN r.lease_until > now() THEN 'a settle holds the payment request'
              WHEN r.announce_at IS NOT NULL THEN 'an event is not sent'
              WHEN r.paid_at IS NULL AND r.payment_request_id = ANY (:paid) THEN 'PAID is not recorded'
              WHEN r.paid_at IS NOT NULL AND r.next_check_at IS NOT NULL THEN 'the payment request is due'
              WHEN r.state IN ('paid', 'captured') AND r.settled_at IS NULL AND r.attention_reason IS NULL
                THEN 'the payment request is not settled'
              WHEN r.state = 'captured' AND r.order_announced_at IS NULL AND EXISTS (
                SELECT 1 FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)
                THEN 'order.placed was not heard'
            END AS left
       FROM crypto_payment_request r WHERE r.cart_id = :cartId AND r.deleted_at IS NULL
      UNION ALL
     SELECT 'a registered refund is not booked'
       FROM crypto_payment_refund f JOIN crypto_payment_request r ON r.id = f.request_id
      WHERE r.cart_id = :cartId AND f.state = 'registered' AND f.deleted_at IS NULL`,
    { cartId, paid }
  )
  return rows.flatMap(({ left }) => left ?? [])
}

/** Waits until nothing is left to do. @throws with what is left when it never ends; when the signal ends the waiting */
export async function untilAtRest(shop: Shop, checkout: Checkout, signal?: AbortSignal): Promise<void> {
  await untilNone(async () => await whatIsLeft(shop, checkout), undefined, signal)
}

/** Waits until no settle of a living process has one of the rows. @param dead leases that a killed process has left */
export async function untilIdle({ knex }: Shop, cartIds: string[], dead: string[] = []): Promise<void> {
  const held = knex("crypto_payment_request")
    .whereIn("cart_id", cartIds)
    .whereNotIn("lease_id", dead)
    .whereRaw("lease_until > now()")
  await untilNone(async () => await held.clone().pluck("id"))
}
