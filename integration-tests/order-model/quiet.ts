import type { StoreOrder } from "./store-order"

/** How many minutes pass before each run of the schedule. Together less than an order may stay unpaid. */
const ROUNDS_MINUTES = [2, 3, 3, 3, 3]

/** Lets time pass until nothing is left to do for the order. Who was paid and never told is found in the gateway's list. */
export async function letItEnd(order: StoreOrder): Promise<void> {
  let left: string[] = []
  let isSumJudged = false
  for (const minutes of ROUNDS_MINUTES) {
    await order.letMinutesPass(minutes)
    left = await whatIsLeft(order)
    if (left.length === 0) {
      // Two payments that are settled at the same moment may each say what the other has changed, until the next run.
      if (isSumJudged || !(await order.hasCase(["order_underpaid", "order_overpaid"]))) {
        return
      }
      isSumJudged = true
    }
    if (left.includes(UNNOTICED)) {
      await order.post("/crypto-payments/reconciliation", { provider_id: "pp_crypto_default" })
    }
  }
  for (const what of left) {
    order.fault("it comes to rest", `it never came to rest: ${what}`)
  }
}

const UNNOTICED = "a payment is not recorded"

async function whatIsLeft(order: StoreOrder): Promise<string[]> {
  const { knex, gateway } = order.shop
  const { rowIds } = await order.scope()
  const paid: string[] = []
  for (const { paymentRequestId } of order.links) {
    if ((await gateway.payment(paymentRequestId)).paid_at !== null) {
      paid.push(paymentRequestId)
    }
  }
  const { rows } = await knex.raw<{ rows: { left: string | null }[] }>(
    `SELECT CASE
              WHEN r.paid_at IS NULL AND r.payment_request_id = ANY (:paid) THEN '${UNNOTICED}'
              WHEN r.announce_at IS NOT NULL THEN 'an event is not sent'
              WHEN r.state IN ('paid', 'captured') AND r.settled_at IS NULL AND r.attention_reason IS NULL
                THEN 'a payment is not settled'
            END AS left
       FROM crypto_payment_request r WHERE r.id = ANY (:rowIds)
      UNION ALL
     SELECT 'a registered refund is not booked'
       FROM crypto_payment_refund f WHERE f.request_id = ANY (:rowIds) AND f.state = 'registered' AND f.deleted_at IS NULL`,
    { rowIds, paid }
  )
  return rows.flatMap(({ left }) => left ?? [])
}
