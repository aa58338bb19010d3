import { setTimeout as delay } from "node:timers/promises"
import type { StoreCluster } from "../support/cluster/store-cluster"

const POLL_MS = 2000
/**
 * What core locked and left, as a completion that waited in vain for a cart's second product does, ends after a minute
 * of Redis' clock, which is not moved: a try each minute would find the locks of the one before for ever.
 */
const LOCKS_HAVE_ENDED = "updated_at < now() - interval '70 seconds'"
/** Two leases and a few ticks of the job: what is not settled by then never will be. */
const PATIENCE_MS = 8 * 60_000

/**
 * Lets everything come to rest: nothing fails any more, and the job gets the time that its back-off would take.
 *
 * Only the clock is moved, and only of rows that have a next check: a row the plugin has stopped watching stays so.
 *
 * @param isBusy whether somebody still does something
 * @returns how many requests still had something due when patience ended
 */
export async function becomeQuiet(cluster: StoreCluster, isBusy: () => boolean): Promise<number> {
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
    const restless = await countRestless(cluster, since)
    if ((restless === 0 && !isBusy()) || Date.now() > deadline) {
      return restless
    }
    await knex("crypto_payment_request")
      .whereNull("settled_at")
      .where("next_check_at", ">", knex.fn.now())
      .where((calm) => calm.whereNull("paid_at").orWhereRaw(LOCKS_HAVE_ENDED))
      .update({ next_check_at: knex.fn.now() })
    await delay(POLL_MS)
  }
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
