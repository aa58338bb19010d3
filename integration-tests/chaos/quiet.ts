import { setTimeout as delay } from "node:timers/promises"
import type { StoreCluster } from "../support/cluster/store-cluster"
import { whatIsLeft } from "../support/rest"
import { DRAFTS } from "./checkout"

const POLL_MS = 2000
/**
 * A completion that gets the lock of only one of its two products leaves that one locked for a minute of Redis' clock,
 * which is not moved. Carts that are tried sooner would only fail again.
 */
const LOCKS_END_AFTER = "70 seconds"
/** Two leases and a few ticks of the job: what is not settled by then never will be. */
const PATIENCE_MS = 8 * 60_000

/**
 * Lets everything come to rest: nothing fails any more, and the job gets the time that its back-off would take.
 *
 * Only the clock is moved, and only of rows that have a next check: a row the plugin has stopped watching stays so.
 *
 * @param findUnfinished what else has to end, each in words
 * @returns what had not come to rest when patience ended, each in words
 */
export async function becomeQuiet(cluster: StoreCluster, findUnfinished: () => Promise<string[]>) {
  const { gateway, knex } = cluster
  await gateway.recover()
  for (const { payment_request_id, hidden_reads } of await gateway.payments()) {
    if (hidden_reads !== 0) {
      await gateway.reveal(payment_request_id)
    }
  }

  const since = new Date()
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const paid = (await gateway.payments()).filter(({ paid_at }) => paid_at !== null)
    const restless = await Promise.all([
      whatIsLeft(
        cluster,
        paid.map(({ payment_request_id }) => payment_request_id),
        { since }
      ),
      findBegunOrders(cluster),
      findUnfinished(),
    ])
    if (restless.flat().length === 0 || Date.now() > deadline) {
      return restless.flat()
    }
    await knex("crypto_payment_request")
      .whereNull("settled_at")
      .where("next_check_at", ">", knex.fn.now())
      .whereRaw(`(paid_at IS NULL OR updated_at < now() - interval '${LOCKS_END_AFTER}')`)
      .update({ next_check_at: knex.fn.now() })
    await delay(POLL_MS)
  }
}

/**
 * Orders that core began for a cart that was paid in crypto, that never became the cart's and that no case names. What
 * core leaves of a cart that was paid in another way, or not at all, is not the plugin's.
 */
async function findBegunOrders({ knex }: StoreCluster): Promise<string[]> {
  const orders = await knex("order")
    .whereNull("deleted_at")
    .whereNull("canceled_at")
    .where({ is_draft_order: false })
    .whereRaw("email NOT LIKE ?", [`${DRAFTS}%`])
    .whereNotExists(
      knex("order_cart").whereRaw('order_cart.order_id = "order".id AND order_cart.deleted_at IS NULL')
    )
    .whereExists(
      knex("crypto_payment_request AS r")
        .join("cart", "cart.id", "r.cart_id")
        .whereRaw('cart.email = "order".email AND r.paid_at IS NOT NULL')
    )
    .whereNotExists(knex("crypto_payment_activity").whereRaw(`detail ->> 'order_id' = "order".id`))
    .select("id", "email")
  return orders.map(({ id, email }) => `${id} of ${email} was begun and never placed`)
}
