import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { ActivityType } from "../models/crypto-payment-activity"

/** Adds a line to a request's timeline. `detail` holds statuses, reasons, ids and amounts, never payer data. */
export async function addActivity(
  knex: Knex,
  requestId: string,
  type: ActivityType,
  detail: Record<string, string | null> = {}
): Promise<void> {
  await knex("crypto_payment_activity").insert({
    id: generateEntityId(undefined, "cpact"),
    request_id: requestId,
    type,
    detail: JSON.stringify(detail),
  })
}
