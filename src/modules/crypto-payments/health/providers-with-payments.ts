import type { Knex } from "@medusajs/framework/mikro-orm/knex"

/** Ids of the providers that have rows in the ledger. A walk over an index: it costs one look-up for each provider. */
export async function listProvidersWithPayments(knex: Knex): Promise<string[]> {
  const { rows } = await knex.raw<{ rows: { provider_id: string }[] }>(
    `WITH RECURSIVE known AS (
       (SELECT r.provider_id FROM crypto_payment_request r WHERE r.deleted_at IS NULL ORDER BY r.provider_id LIMIT 1)
       UNION ALL
       SELECT (SELECT r.provider_id FROM crypto_payment_request r
                WHERE r.provider_id > known.provider_id AND r.deleted_at IS NULL ORDER BY r.provider_id LIMIT 1)
         FROM known WHERE known.provider_id IS NOT NULL
     )
     SELECT provider_id FROM known WHERE provider_id IS NOT NULL`
  )
  return rows.map(({ provider_id }) => provider_id)
}
