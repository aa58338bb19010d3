import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { settle } from "../../.medusa/server/src/workflows/settle"
import type { StoreUnderTest } from "./store-under-test"
import { untilNone, waitUntil } from "./wait-until"

/** Runs the schedule until nothing is due and nothing is being settled. */
export async function settleDue(store: StoreUnderTest): Promise<void> {
  await untilNone(async () => {
    await store.runSchedule()
    return await dueOrSettling(store)
  })
}

/**
 * Settles a row at once, outside the places of the store's worker: what the worker began before has reached the gateway
 * when this has.
 */
export async function settleBeside({ container }: StoreUnderTest, id: string): Promise<void> {
  const lease = await container.resolve<CryptoPaymentsModuleService>("cryptoPayments").leases.lease(id)
  if (lease === undefined) {
    throw new Error(`${id} is being settled already`)
  }
  await settle(container, lease, { trigger: "admin" })
}

/** Has a row settled until it has no next check. A check that is due in seconds, or in a day, is due now. */
export async function settleToEnd(store: StoreUnderTest, id: string): Promise<void> {
  const row = store.knex("crypto_payment_request").where({ id })
  await waitUntil(
    async () => {
      const watched = row.clone().whereNotNull("next_check_at")
      await watched.update({ next_check_at: new Date(0) })
      await store.runSchedule()
      return await row.clone().first("next_check_at")
    },
    ({ next_check_at }) => next_check_at === null
  )
}

/** Waits until the gateway was read since the request was last notified, and what followed from that read is over. */
export async function readSinceNotified({ knex }: Pick<StoreUnderTest, "knex">, paymentRequestId: string) {
  await waitUntil(
    async () =>
      await knex("crypto_payment_request")
        .where({ payment_request_id: paymentRequestId })
        .first("last_webhook_at", "last_checked_at", "lease_until"),
    ({ last_webhook_at, last_checked_at, lease_until }) =>
      lease_until === null && last_webhook_at !== null && last_checked_at >= last_webhook_at
  )
}

/**
 * Waits until no row is due or being settled. It runs no schedule, and none runs by itself: a test that leaves rows
 * due without a notification or a return calls `settleDue`.
 */
export async function nothingIsDue(store: StoreUnderTest): Promise<void> {
  await untilNone(async () => await dueOrSettling(store))
}

async function dueOrSettling({ knex }: StoreUnderTest): Promise<unknown[]> {
  return await knex("crypto_payment_request")
    .whereRaw("next_check_at <= now() OR lease_until IS NOT NULL")
    .select("id")
}
