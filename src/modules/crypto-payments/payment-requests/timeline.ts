import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { ActivityType } from "../models/crypto-payment-activity"

/** What an entry tells. Statuses, reasons, ids and amounts, never payer data. */
export type TimelineDetail = Record<string, string | null>

/** Adds an entry to a request's timeline. */
export async function addActivity(
  knex: Knex,
  requestId: string,
  type: ActivityType,
  detail: TimelineDetail = {}
): Promise<void> {
  await knex("crypto_payment_activity").insert({
    id: generateEntityId(undefined, "cpact"),
    request_id: requestId,
    type,
    detail: JSON.stringify(detail),
    // The transaction's own time would date all entries of one transaction alike.
    created_at: knex.raw("clock_timestamp()"),
  })
}
