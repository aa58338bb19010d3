import { isDeepStrictEqual } from "node:util"
import { readBooks, type Books } from "./books"
import type { Play } from "./play"
import { whatIsLeft } from "../support/rest"
import type { HeardEvent, Shop } from "./shop"

/**
 * In what one play has not ended as its flow has to, in sentences. Reads the database past every service, and what
 * subscribers heard.
 */
export async function judgePlay(shop: Shop, play: Play, heard: HeardEvent[]): Promise<string[]> {
  const books = await readBooks(shop.knex, play.checkout)
  return [
    ...play.troubles,
    ...compare(books, endOf(play, books)),
    ...(await whatIsLeft(shop, play.checkout.paid, play.checkout)).map(
      (left) => `it never came to rest: ${left}`
    ),
    ...(await judgeEvents(shop, play, heard)),
  ]
}

/**
 * The flow's end, or one of two others when the process died. The order's page shows both. Core may die after it has
 * linked the order, before it reserves its stock. And it may die after the transaction of a refund, before the credit
 * line: the order then asks for the refunded amount again.
 */
function endOf({ flow: { end }, heldAt }: Play, { reserved, order }: Books): Books {
  if (heldAt === null) {
    return end
  }
  const isUncredited =
    order !== null &&
    end.order?.credited === "20.01" &&
    order.credited === "0.00" &&
    order.pending === "20.01"
  return {
    ...end,
    reserved: Math.min(reserved, end.reserved),
    order: isUncredited
      ? ({ ...end.order, credited: "0.00", pending: "20.01" } as Books["order"])
      : end.order,
  }
}

const compare = (books: Books, end: Books): string[] =>
  (Object.keys(end) as (keyof Books)[])
    .filter((key) => !isDeepStrictEqual(books[key], end[key]))
    .map((key) => `${key}: ${JSON.stringify(books[key])} instead of ${JSON.stringify(end[key])}`)

/** `order.placed` of the order unless it is a draft, and our events of each settled payment and each case, at least once each. */
async function judgeEvents({ knex }: Shop, { checkout }: Play, heard: HeardEvent[]): Promise<string[]> {
  // A payment that was settled because all of it was sent back had no order, and nobody waits for that event.
  const { rows } = await knex.raw<{ rows: { event: string; id: string; reason: string | null }[] }>(
    `SELECT 'order.placed' AS event, oc.order_id AS id, NULL AS reason
       FROM order_cart oc JOIN "order" o ON o.id = oc.order_id AND NOT o.is_draft_order
      WHERE oc.cart_id = :cartId AND oc.deleted_at IS NULL
      UNION ALL
     SELECT CASE a.type WHEN 'settled' THEN 'crypto_payment.settled' ELSE 'crypto_payment.attention_required' END,
            r.id, CASE a.type WHEN 'attention' THEN a.detail ->> 'reason' END
       FROM crypto_payment_activity a JOIN crypto_payment_request r ON r.id = a.request_id
      WHERE r.cart_id = :cartId
        AND (a.type = 'attention' OR (a.type = 'settled' AND a.detail ->> 'order_id' IS NOT NULL))`,
    { cartId: checkout.cartId }
  )
  return rows
    .filter(
      ({ event, id, reason }) =>
        !heard.some(
          ({ event: name, data }) => name === event && data.id === id && (data.reason ?? null) === reason
        )
    )
    .map(({ event, id, reason }) => `${event} of ${id} (${reason}) was never heard`)
}
