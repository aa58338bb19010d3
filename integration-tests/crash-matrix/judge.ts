import { isDeepStrictEqual } from "node:util"
import { readBooks, type Books } from "./books"
import type { Play } from "./play"
import { whatIsLeft } from "./rest"
import type { HeardEvent, Shop } from "./shop"

/** What is wrong at the end of one play, in sentences. Reads the database past every service, and what subscribers heard. */
export async function judge(shop: Shop, play: Play, heard: HeardEvent[]): Promise<string[]> {
  const books = await readBooks(shop.knex, play.checkout)
  return [
    ...play.troubles,
    ...compare(books, endOf(play, books)),
    ...(await whatIsLeft(shop, play.checkout)).map((left) => `it never came to rest: ${left}`),
    ...(await judgeGateway(shop, play)),
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

/** One row for what the payer was given, and no other payment request of the cart that is paid. */
async function judgeGateway({ knex, gateway }: Shop, { checkout }: Play): Promise<string[]> {
  const rows = await knex("crypto_payment_request")
    .where({ cart_id: checkout.cartId, deleted_at: null })
    .select<{ payment_request_id: string | null; paid_at: Date | null }[]>("payment_request_id", "paid_at")
  const faults: string[] = []
  for (const link of checkout.paid) {
    const known = rows.filter(({ payment_request_id }) => payment_request_id === link)
    if (known.length !== 1 || known[0]?.paid_at === null) {
      faults.push(`${link} is paid at the gateway, and the ledger has ${JSON.stringify(known)}`)
    }
  }
  for (const { payment_request_id: id, paid_at } of rows) {
    if (paid_at !== null && id !== null && (await gateway.payment(id)).paid_at === null) {
      faults.push(`${id} is not paid at the gateway, and the ledger has it as paid`)
    }
  }
  return faults
}

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
