import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { inEmptySchema, LEDGER_MIGRATIONS, migrate } from "./ledger-migrations"
import type { StoreUnderTest } from "./store-under-test"

export const MIGRATION = "Migration20261122043000.js"
const BEFORE = LEDGER_MIGRATIONS.slice(0, LEDGER_MIGRATIONS.indexOf(MIGRATION))
export const TABLE = "crypto_payment_request"
export const OLD = "https://old.example"
export const NEW = "https://new.example"

type Row = Record<string, unknown> & { id: string }

/** A row as the release before left it: paid, captured and settled for the session `payses_1`. */
export const settled = (id: string, more: Record<string, unknown> = {}): Row => ({
  id,
  provider_id: "pp_crypto_default",
  gateway_origin: OLD,
  payment_request_id: `request-${id}`,
  session_id: "payses_1",
  session_ids: ["payses_1"],
  payment_collection_id: "pay_col_1",
  cart_id: "cart_1",
  order_id: "order_1",
  amount: "20.01",
  currency_code: "usd",
  state: "captured",
  gateway_status: "PAID",
  gateway_amount: "20.01000000000000",
  gateway_currency_symbol: "USD",
  paid_at: "2026-01-01T00:01:00Z",
  captured_at: "2026-01-01T00:01:00Z",
  settled_at: "2026-01-01T00:02:00Z",
  created_at: "2026-01-01T00:00:00Z",
  ...more,
})

export const NOT_SETTLED = { order_id: null, captured_at: null, settled_at: null }
export const NOT_PAID = {
  ...NOT_SETTLED,
  state: "open",
  gateway_status: "UNPAID",
  gateway_amount: null,
  paid_at: null,
}
export const LATER = { created_at: "2026-02-01T00:00:00Z", captured_at: "2026-02-01T00:01:00Z" }

/** Plants rows as they were before the migration, runs it, and gives what is there then. */
export async function upgrade(
  store: StoreUnderTest,
  rows: Row[],
  judge: (after: Map<string, Record<string, unknown>>, trx: Knex) => Promise<void> | void,
  more: Record<string, Record<string, unknown>[]> = {}
): Promise<void> {
  await inEmptySchema(store, async (trx) => {
    await migrate(trx, BEFORE)
    await trx(TABLE).insert(rows)
    for (const [table, others] of Object.entries(more)) {
      await trx(table).insert(others)
    }
    await migrate(trx, [MIGRATION])
    const after: Row[] = await trx(TABLE).orderBy("id").select()
    await judge(new Map(after.map((row) => [row.id, row])), trx)
  })
}

export const timelineOf = async (
  trx: Knex,
  id: string
): Promise<{ type: string; detail: Record<string, string> }[]> =>
  await trx("crypto_payment_activity").where({ request_id: id }).select("type", "detail")
