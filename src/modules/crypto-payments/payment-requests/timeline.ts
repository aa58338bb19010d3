import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { generateEntityId } from "@medusajs/framework/utils"
import type { ActivityType } from "../models/crypto-payment-activity"
import { REQUESTS } from "./request-sql"

const ACTIVITIES = "crypto_payment_activity"
const SEPARATOR = ", "

/** Statuses, reasons, ids and amounts, never payer data. */
export type TimelineDetail = Record<string, string | null>

export async function addActivity(
  knex: Knex,
  requestId: string,
  type: ActivityType,
  detail: TimelineDetail = {}
): Promise<void> {
  await knex(ACTIVITIES).insert({
    id: generateEntityId(undefined, "cpact"),
    request_id: requestId,
    type,
    detail: JSON.stringify(detail),
    // The transaction's own time would date all its entries alike.
    created_at: knex.raw("clock_timestamp()"),
  })
}

/** Notes the names of fields that could not be kept as sent, each once per request. */
export async function noteIgnoredFields(
  knex: Knex,
  requestId: string,
  fields: readonly string[]
): Promise<void> {
  if (fields.length === 0) {
    return
  }
  await knex.transaction(async (trx) => {
    // Two reads at once would both find nothing noted.
    await trx(REQUESTS).where({ id: requestId }).forUpdate().select("id")
    const notes = await trx<{ detail: TimelineDetail }>(ACTIVITIES)
      .where({ request_id: requestId })
      .whereRaw("detail ->> 'ignored_fields' IS NOT NULL")
      .select("detail")
    const noted = notes.flatMap(({ detail }) => detail["ignored_fields"]?.split(SEPARATOR) ?? [])
    const unnoted = fields.filter((field) => !noted.includes(field))
    if (unnoted.length > 0) {
      await addActivity(trx, requestId, "checked", { ignored_fields: unnoted.join(SEPARATOR) })
    }
  })
}
