import { setTimeout as delay } from "node:timers/promises"
import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { StoreCluster } from "../support/cluster/store-cluster"
import { DRAFTS } from "./checkout"

const POLL_MS = 2000
/**
 * A completion that waits in vain for the lock of one product of its cart leaves that of the other locked, for a minute
 * of Redis' clock, which is not moved. Completions that are tried within a minute of one another keep each other out for
 * ever, so only one is tried at a time. The plugin's own schedule leaves minutes and then an hour between two tries.
 */
const LOCKS_END_AFTER = "70 seconds"
/** Two leases and a few ticks of the job: what is not settled by then never will be. */
const PATIENCE_MS = 8 * 60_000

/**
 * Lets everything come to rest: nothing fails any more, and the job gets the time that its back-off would take.
 *
 * Only the clock is moved, and only of rows that have a next check: a row the plugin has stopped watching stays so.
 *
 * @param isBusy whether somebody still does something
 * @returns how many requests and orders still had something due when patience ended
 */
export async function becomeQuiet(cluster: StoreCluster, isBusy: () => Promise<boolean>): Promise<number> {
  const { gateway, instances, knex } = cluster
  await gateway.recover()
  for (const { payment_request_id, hidden_reads } of await gateway.payments()) {
    if (hidden_reads !== 0) {
      await gateway.reveal(payment_request_id)
    }
  }
  await Promise.all(instances.filter(({ isUp }) => !isUp).map((instance) => instance.start()))

  const since = new Date()
  const deadline = Date.now() + PATIENCE_MS
  for (;;) {
    const counts = [countRestless(cluster, since), countBegunOrders(cluster), countUnheardOrders(cluster)]
    const restless = (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
    if ((restless === 0 && !(await isBusy())) || Date.now() > deadline) {
      return restless
    }
    await knex("crypto_payment_request")
      .whereNull("settled_at")
      .where("next_check_at", ">", knex.fn.now())
      .where((next) => next.whereNull("paid_at").orWhereIn("id", nextCompletion(cluster)))
      .update({ next_check_at: knex.fn.now() })
    await delay(POLL_MS)
  }
}

/** Of the paid requests the one that has waited longest, if none was looked at lately. */
const nextCompletion = ({ knex }: StoreCluster): Knex.QueryBuilder =>
  knex("crypto_payment_request")
    .whereNotNull("paid_at")
    .whereNull("settled_at")
    .whereNotNull("next_check_at")
    .whereNotExists(
      knex({ late: "crypto_payment_request" })
        .whereNotNull("late.paid_at")
        .whereNull("late.settled_at")
        .whereNotNull("late.next_check_at")
        .whereRaw(`late.updated_at > now() - interval '${LOCKS_END_AFTER}'`)
    )
    .orderBy("updated_at")
    .limit(1)
    .select("id")

/** Orders that core began and never placed: the schedule takes them back once no completion can be under way. */
async function countBegunOrders({ knex }: StoreCluster): Promise<number> {
  const [row] = await knex("order")
    .whereNull("deleted_at")
    .whereNull("canceled_at")
    .whereRaw("email NOT LIKE ?", [`${DRAFTS}%`])
    .whereNotExists(
      knex("order_cart").whereRaw('order_cart.order_id = "order".id AND order_cart.deleted_at IS NULL')
    )
    .count({ begun: "*" })
  return Number(row?.begun)
}

/** Paid orders whose `order.placed` was not sent. A cancelled order is announced no more. */
async function countUnheardOrders({ knex }: StoreCluster): Promise<number> {
  const [row] = await knex("crypto_payment_request")
    .where({ state: "captured", order_announced_at: null })
    .whereNotNull("cart_id")
    .whereNotNull("settled_at")
    .whereNotExists(
      knex({ oc: "order_cart" })
        .join({ o: "order" }, "o.id", "oc.order_id")
        .whereRaw("oc.cart_id = crypto_payment_request.cart_id AND o.status = 'canceled'")
    )
    .count({ unheard: "*" })
  return Number(row?.unheard)
}

/** Rows with a check ahead of them that have not been looked at since it became quiet. */
async function countRestless({ knex }: StoreCluster, since: Date): Promise<number> {
  const [row] = await knex("crypto_payment_request")
    .whereNull("settled_at")
    .where((some) =>
      some
        .where("lease_until", ">", knex.fn.now())
        .orWhere((due) =>
          due
            .whereNotNull("next_check_at")
            .where((unseen) =>
              unseen
                .whereNotNull("paid_at")
                .orWhereNull("last_checked_at")
                .orWhere("last_checked_at", "<", since)
            )
        )
    )
    .count<{ count: string }[]>("* as count")
  return Number(row?.count ?? 0)
}
