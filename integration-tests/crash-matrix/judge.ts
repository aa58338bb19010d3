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
    ...compare(books, play.flow.end),
    ...(await whatIsLeft(shop, play.checkout)).map((left) => `it never came to rest: ${left}`),
    ...(await judgeGateway(shop, play)),
    ...(await judgeEvents(shop, play, heard)),
  ]
}

function compare(books: Books, end: Books): string[] {
  return (Object.keys(end) as (keyof Books)[])
    .filter((key) => !isDeepStrictEqual(books[key], end[key]))
    .map((key) => `${key}: ${JSON.stringify(books[key])} instead of ${JSON.stringify(end[key])}`)
}

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

/** `order.placed` of the order, and our events of each settled payment and each case, at least once each. */
async function judgeEvents({ knex }: Shop, { checkout }: Play, heard: HeardEvent[]): Promise<string[]> {
  const { cartId } = checkout
  const wasHeard = (event: string, id: string, reason?: string): boolean =>
    heard.some((one) => one.event === event && one.data.id === id && one.data.reason === reason)
  const orders = await knex("order_cart")
    .where({ cart_id: cartId, deleted_at: null })
    .pluck<string[]>("order_id")
  // One that was settled because all of it was sent back had no order, and nobody waits for that event.
  const settled = await knex("crypto_payment_activity as a")
    .join("crypto_payment_request as r", "r.id", "a.request_id")
    .where({ "r.cart_id": cartId, "a.type": "settled" })
    .whereRaw("a.detail ->> 'order_id' IS NOT NULL")
    .pluck<string[]>("r.id")
  const cases = await knex("crypto_payment_activity as a")
    .join("crypto_payment_request as r", "r.id", "a.request_id")
    .where({ "r.cart_id": cartId, "a.type": "attention" })
    .select<{ id: string; reason: string }[]>("r.id", knex.raw("a.detail ->> 'reason' AS reason"))
  return [
    ...orders
      .filter((id) => !wasHeard("order.placed", id))
      .map((id) => `order.placed of ${id} was never heard`),
    ...settled
      .filter((id) => !wasHeard("crypto_payment.settled", id))
      .map((id) => `crypto_payment.settled of ${id} was never heard`),
    ...cases
      .filter(({ id, reason }) => !wasHeard("crypto_payment.attention_required", id, reason))
      .map(({ id, reason }) => `crypto_payment.attention_required (${reason}) of ${id} was never heard`),
  ]
}
