import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { PAID_OK } from "../support/end-state"
import { inEmptySchema, LEDGER_MIGRATIONS as migrations, migrate } from "../support/ledger-migrations"
import { endOf, ledgerRow, payAndNotify } from "../support/paid-checkout"
import { describeStore } from "../support/store-under-test"

const FAILURE_KINDS = "Migration20261123070000.js"
const OFFERED_BY_MERCHANT = "Migration20261123100000.js"

/** What a store of the first release has in its tables. */
const FIRST_ROWS = {
  crypto_payment_request: {
    id: "cpreq_1",
    provider_id: "pp_crypto_default",
    gateway_origin: "https://gateway.example",
    payment_request_id: "request-1",
    payment_link: "https://pay.example/request-1",
    session_id: "payses_2",
    session_ids: ["payses_1", "payses_2"],
    paid_session_id: "payses_2",
    payment_collection_id: "pay_col_1",
    cart_id: "cart_1",
    amount: "20.01",
    currency_code: "usd",
    state: "captured",
    gateway_status: "PAID",
    gateway_amount: "20.01000000000000",
    paid_at: "2026-01-01T00:00:00Z",
    attention_reason: "paid_without_order",
    attention_since: "2026-01-01T00:01:00Z",
    next_check_at: "2026-01-01T00:05:00Z",
  },
  crypto_payment_activity: { id: "cpact_1", request_id: "cpreq_1", type: "created", detail: { a: "b" } },
  crypto_payment_refund: {
    id: "cpref_1",
    request_id: "cpreq_1",
    amount: "5.00",
    reference: "0xabc",
    state: "applied",
  },
}

describeStore("upgrading the ledger", (store) => {
  it("from the first release keeps every row as it was", async () => {
    await inEmptySchema(store, async (trx) => {
      await migrate(trx, migrations.slice(0, 1))
      for (const [table, row] of Object.entries(FIRST_ROWS)) {
        await trx(table).insert(row)
      }
      const before = await everything(trx)
      await migrate(trx, migrations.slice(1))
      const after = await everything(trx)
      for (const table of Object.keys(FIRST_ROWS)) {
        expect(after[table]).toMatchObject(before[table] as object)
      }
    })
  })

  it("ends with the tables a new store has", async () => {
    await inEmptySchema(store, async (trx) => {
      await migrate(trx, migrations)
      expect(await shape(trx, "upgrade")).toEqual(await shape(trx, "public"))
    })
  })

  it("takes the kinds of failure of both releases, and gives the former one only its own when it is undone", async () => {
    await inEmptySchema(store, async (trx) => {
      const before = migrations.slice(0, migrations.indexOf(FAILURE_KINDS))
      await migrate(trx, before)
      const { paid_at: _, paid_session_id: __, ...row } = FIRST_ROWS.crypto_payment_request
      const failing = { ...row, state: "open", failing_since: "2026-01-01T00:00:00Z" }
      await trx("crypto_payment_request").insert({ ...failing, failure: "refused" })
      await migrate(trx, [FAILURE_KINDS])
      for (const [n, failure] of ["unreadable", "unknown_to_gateway", "provider_missing"].entries()) {
        const id = `cpreq_${String(n + 2)}`
        await trx("crypto_payment_request").insert({
          ...failing,
          id,
          payment_request_id: id,
          session_id: id,
          payment_collection_id: id,
          failure,
        })
      }
      await migrate(trx, [FAILURE_KINDS], "down")
      const rows = await trx("crypto_payment_request").orderBy("id").select("failure", "failing_since")
      expect(rows.map(({ failure }) => failure as string)).toEqual([
        "refused",
        "unreadable",
        "refused",
        "refused",
      ])
      const isOld = rows.map(({ failing_since }) => failing_since < new Date("2026-01-02T00:00:00Z"))
      expect(isOld).toEqual([true, true, false, false])
    })
  })

  it("gives each unpaid order its time once more, because nobody knows whose link it was", async () => {
    await inEmptySchema(store, async (trx) => {
      await migrate(trx, migrations.slice(0, migrations.indexOf(OFFERED_BY_MERCHANT)))
      const { paid_at: _, paid_session_id: __, ...row } = FIRST_ROWS.crypto_payment_request
      for (const state of ["open", "superseded", "closed"]) {
        const ids = { id: state, payment_request_id: state, session_id: state, payment_collection_id: state }
        await trx("crypto_payment_request").insert({ ...row, ...ids, state })
      }
      await migrate(trx, [OFFERED_BY_MERCHANT])
      const given = await trx("crypto_payment_request").whereNotNull("offered_by_merchant_at").pluck("id")
      expect(given.sort()).toEqual(["open", "superseded"])
    })
  })

  it("captures a payment that the first release left open", async () => {
    const { cartId, session } = await store.shopper().checkout()
    const row: Record<string, unknown> = { ...(await ledgerRow(store, session.id)) }
    await store.knex.transaction(async (trx) => {
      const tables = await trx("pg_tables").whereLike("tablename", "crypto_payment%").pluck("tablename")
      await trx.raw(`DROP TABLE ${tables.join(", ")} CASCADE`)
      await migrate(trx, migrations.slice(0, 1))
      const known = Object.keys(await trx("crypto_payment_request").columnInfo())
      await trx("crypto_payment_request").insert(
        Object.fromEntries(known.map((column) => [column, row[column]]))
      )
      await migrate(trx, migrations.slice(1))
    })
    await payAndNotify(store, session.data.payment_request_id)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })
})

async function everything(trx: Knex): Promise<Record<string, unknown>> {
  return Object.fromEntries(
    await Promise.all(Object.keys(FIRST_ROWS).map(async (table) => [table, await trx(table).select()]))
  ) as Record<string, unknown>
}

/** Columns and indexes of our tables in a schema. */
async function shape(trx: Knex, schema: string): Promise<unknown> {
  const columns = await trx
    .select("table_name", "column_name", "data_type", "is_nullable", "column_default")
    .from("information_schema.columns")
    .where({ table_schema: schema })
    .whereLike("table_name", "crypto_payment%")
    .orderBy(["table_name", "column_name"])
  const indexes: { indexname: string; indexdef: string }[] = await trx
    .select("indexname", "indexdef")
    .from("pg_indexes")
    .where({ schemaname: schema })
    .whereLike("tablename", "crypto_payment%")
    .orderBy("indexname")
  return { columns, indexes: indexes.map(({ indexdef }) => indexdef.replaceAll(`${schema}.`, "")) }
}
