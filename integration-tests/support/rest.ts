import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { untilNone } from "./wait-until"

/** The order `o` was placed from the payment request's cart, and is neither cancelled nor deleted. */
const HAS_ORDER = `EXISTS (SELECT 1 FROM order_cart oc JOIN "order" o ON o.id = oc.order_id
   WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL AND o.deleted_at IS NULL AND o.canceled_at IS NULL)`
const IS_HEARD = `EXISTS (SELECT 1 FROM crypto_payment_request x
   WHERE x.cart_id = r.cart_id AND x.order_announced_at IS NOT NULL)`

type Store = { knex: Knex }

/** Since when each link that is watched has to have been checked, and whose cart it is. */
interface Which {
  since?: Date
  cartId?: string
}

/**
 * What is still to be done, as the database says. Empty at rest.
 *
 * @param paid what was paid at the gateway, by its ids
 */
export async function whatIsLeft({ knex }: Store, paid: string[], { since, cartId }: Which = {}) {
  const { rows } = await knex.raw<{ rows: { left: string }[] }>(
    `SELECT left_over.what || ': ' || row_to_json(r)::text AS left
       FROM crypto_payment_request r CROSS JOIN LATERAL (SELECT CASE
              WHEN r.lease_until > now() THEN 'a settle holds the payment request'
              WHEN r.announce_at IS NOT NULL THEN 'an event is not sent'
              WHEN r.paid_at IS NULL AND r.payment_request_id = ANY (:paid) THEN 'PAID is not recorded'
              WHEN r.paid_at IS NOT NULL AND r.next_check_at IS NOT NULL
                   AND (r.settled_at IS NULL OR CAST(:cartId AS text) IS NOT NULL)
                THEN 'the payment request is due'
              WHEN r.next_check_at IS NOT NULL AND r.settled_at IS NULL
                   AND COALESCE(r.last_checked_at, '-infinity') < CAST(:since AS timestamptz)
                THEN 'the link was not checked'
              WHEN r.state IN ('paid', 'captured') AND r.settled_at IS NULL AND r.attention_reason IS NULL
                THEN 'the payment request is not settled'
              WHEN r.state = 'captured' AND ${HAS_ORDER} AND NOT ${IS_HEARD} THEN 'order.placed was not heard'
              WHEN EXISTS (SELECT 1 FROM crypto_payment_refund f
                            WHERE f.request_id = r.id AND f.state = 'registered' AND f.deleted_at IS NULL)
                THEN 'a registered refund is not booked'
            END AS what) left_over
      WHERE left_over.what IS NOT NULL AND r.deleted_at IS NULL
        AND (CAST(:cartId AS text) IS NULL OR r.cart_id = :cartId)`,
    { paid, since: since ?? null, cartId: cartId ?? null }
  )
  return rows.map(({ left }) => left)
}

/** Waits until nothing is left to do. @throws with what is left when it never ends; when the signal ends the waiting */
export async function untilAtRest(store: Store, paid: string[], which: Which, signal?: AbortSignal) {
  await untilNone(async () => await whatIsLeft(store, paid, which), undefined, signal)
}

/** Waits until no settle of a living process has one of the rows. @param dead leases that a killed process has left */
export async function untilIdle({ knex }: Store, cartIds: string[], dead: string[] = []): Promise<void> {
  const held = knex("crypto_payment_request")
    .whereIn("cart_id", cartIds)
    .whereNotIn("lease_id", dead)
    .whereRaw("lease_until > now()")
  await untilNone(async () => await held.clone().pluck("id"))
}
