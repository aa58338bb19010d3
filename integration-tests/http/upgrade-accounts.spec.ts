import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import { inEmptySchema, LEDGER_MIGRATIONS, migrate } from "../support/ledger-migrations"
import { describeStore } from "../support/store-under-test"

const MIGRATION = "Migration20261122043000.js"
const BEFORE = LEDGER_MIGRATIONS.slice(0, LEDGER_MIGRATIONS.indexOf(MIGRATION))
const TABLE = "crypto_payment_request"
const OLD = "https://old.example"
const NEW = "https://new.example"

type Row = Record<string, unknown> & { id: string }

/** A row as the release before left it: paid, captured and settled for the session `payses_1`. */
const settled = (id: string, more: Record<string, unknown> = {}): Row => ({
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

const NOT_SETTLED = { order_id: null, captured_at: null, settled_at: null }
const NOT_PAID = {
  ...NOT_SETTLED,
  state: "open",
  gateway_status: "UNPAID",
  gateway_amount: null,
  paid_at: null,
}
const LATER = { created_at: "2026-02-01T00:00:00Z", captured_at: "2026-02-01T00:01:00Z" }

describeStore("upgrading to accounts and one row for each session", (store) => {
  /** Plants rows as they were before the migration, runs it, and gives what is there then. */
  async function upgrade(
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

  const timelineOf = async (
    trx: Knex,
    id: string
  ): Promise<{ type: string; detail: Record<string, string> }[]> =>
    await trx("crypto_payment_activity").where({ request_id: id }).select("type", "detail")

  describe("names the accounts", () => {
    it("after each row's address, and of a provider after its newest row's", async () => {
      await upgrade(
        [
          settled("cpreq_1"),
          settled("cpreq_2", {
            gateway_origin: NEW,
            session_id: "payses_2",
            session_ids: ["payses_2"],
            ...LATER,
          }),
          settled("cpreq_3", {
            provider_id: "pp_crypto_aed",
            session_id: "payses_3",
            session_ids: ["payses_3"],
          }),
        ],
        async (after, trx) => {
          expect([...after.values()].map(({ gateway_account }) => gateway_account)).toEqual([OLD, NEW, OLD])
          expect(
            await trx("crypto_payment_provider_status").orderBy("id").select("id", "gateway_account")
          ).toEqual([
            { id: "pp_crypto_aed", gateway_account: OLD },
            { id: "pp_crypto_default", gateway_account: NEW },
          ])
        },
        { crypto_payment_provider_status: [{ id: "pp_crypto_default" }] }
      )
    })

    it("of rows that the former release adds meanwhile, which does not know the column", async () => {
      await upgrade([settled("cpreq_1")], async (_after, trx) => {
        const { id: _id, ...added } = settled("cpreq_2", {
          gateway_origin: NEW,
          session_id: "payses_2",
          session_ids: ["payses_2"],
        })
        await trx(TABLE).insert([
          { ...added, id: "cpreq_2" },
          { ...added, id: "cpreq_3", provider_id: "pp_crypto_aed", session_id: "payses_3" },
        ])
        expect(await trx(TABLE).orderBy("id").pluck("gateway_account")).toEqual([OLD, OLD, NEW])
      })
    })
  })

  describe("of a payment that was recorded twice when the address changed", () => {
    const same = { payment_request_id: "request-1" }

    it("keeps the row that settled first and says so in its timeline", async () => {
      await upgrade(
        [
          settled("cpreq_1", same),
          settled("cpreq_2", { ...same, gateway_origin: NEW, ...LATER, lease_until: "2099-01-01T00:00:00Z" }),
        ],
        async (after, trx) => {
          expect(after.get("cpreq_1")).toMatchObject({
            deleted_at: null,
            state: "captured",
            session_id: "payses_1",
            attention_reason: null,
          })
          expect(after.get("cpreq_2")).toMatchObject({ deleted_at: expect.any(Date), lease_until: null })
          expect(await timelineOf(trx, "cpreq_1")).toEqual([
            {
              type: "checked",
              detail: { status: "PAID", note: expect.stringContaining("a second record, cpreq_2,") },
            },
          ])
        }
      )
    })

    it("removes the false case of money that nobody was to send back", async () => {
      await upgrade(
        [
          settled("cpreq_1", same),
          settled("cpreq_2", {
            ...same,
            ...NOT_SETTLED,
            gateway_origin: NEW,
            state: "paid",
            session_id: "stray:payses_1",
            session_ids: ["stray:payses_1"],
            attention_reason: "orphan_paid",
            created_at: LATER.created_at,
          }),
        ],
        (after) => {
          expect(after.get("cpreq_1")).toMatchObject({ deleted_at: null, attention_reason: null })
          expect(after.get("cpreq_2")).toMatchObject({ deleted_at: expect.any(Date) })
        }
      )
    })

    it("keeps the newer row when that is the one that was paid", async () => {
      await upgrade(
        [
          settled("cpreq_1", {
            ...same,
            ...NOT_PAID,
            failure: "refused",
            attention_reason: "gateway_refuses",
          }),
          settled("cpreq_2", { ...same, gateway_origin: NEW, ...LATER, paid_session_id: "payses_1" }),
        ],
        (after) => {
          expect(after.get("cpreq_1")).toMatchObject({ deleted_at: expect.any(Date) })
          expect(after.get("cpreq_2")).toMatchObject({ deleted_at: null, paid_session_id: "payses_1" })
        }
      )
    })

    it("keeps both with a case when a refund is registered on the second", async () => {
      await upgrade(
        [
          settled("cpreq_1", same),
          settled("cpreq_2", {
            ...same,
            gateway_origin: NEW,
            ...LATER,
            refund_registered_at: "2026-02-02T00:00:00Z",
          }),
        ],
        (after) => {
          expect(after.get("cpreq_1")).toMatchObject({
            deleted_at: null,
            attention_reason: null,
            state: "captured",
          })
          expect(after.get("cpreq_2")).toMatchObject({
            deleted_at: null,
            state: "paid",
            session_id: expect.stringMatching(/^stray:payses_1/),
            captured_at: null,
            attention_reason: "duplicate_payment",
          })
        },
        {
          crypto_payment_refund: [
            { id: "cpref_1", request_id: "cpreq_2", amount: "5.00", reference: "0xabc" },
          ],
        }
      )
    })

    it("keeps both with a case when their amounts differ", async () => {
      await upgrade(
        [
          settled("cpreq_1", same),
          settled("cpreq_2", { ...same, gateway_origin: NEW, ...LATER, gateway_amount: "50.00000000000000" }),
        ],
        (after) => {
          expect(after.get("cpreq_2")).toMatchObject({
            deleted_at: null,
            attention_reason: "duplicate_payment",
          })
        }
      )
    })

    it("leaves alone two payments that only have an id in common", async () => {
      await upgrade(
        [
          settled("cpreq_1", same),
          settled("cpreq_2", {
            ...same,
            gateway_origin: NEW,
            session_id: "payses_2",
            session_ids: ["payses_2"],
          }),
          settled("cpreq_3", {
            ...same,
            provider_id: "pp_crypto_aed",
            gateway_origin: "https://aed.example",
            session_id: "payses_3",
            session_ids: ["payses_3"],
          }),
        ],
        (after) => {
          expect([...after.values()]).toMatchObject([
            { deleted_at: null, session_id: "payses_1", attention_reason: null },
            { deleted_at: null, session_id: "payses_2", attention_reason: null },
            { deleted_at: null, session_id: "payses_3", attention_reason: null },
          ])
        }
      )
    })
  })

  describe("of payments that were bound to one session", () => {
    it("keeps it for the one that claimed it; the other's money gets a case and is due", async () => {
      await upgrade(
        [
          settled("cpreq_1", {
            attention_reason: "orphan_paid",
            attention_resolved_at: "2026-01-03T00:00:00Z",
          }),
          settled("cpreq_2", {
            ...LATER,
            paid_session_id: "payses_1",
            session_ids: ["payses_0", "payses_1"],
          }),
        ],
        async (after, trx) => {
          expect(after.get("cpreq_2")).toMatchObject({
            session_id: "payses_1",
            paid_session_id: "payses_1",
            state: "captured",
            settled_at: expect.any(Date),
            attention_reason: null,
          })
          expect(after.get("cpreq_1")).toMatchObject({
            session_id: expect.stringMatching(/^stray:payses_1/),
            session_ids: ["payses_1"],
            paid_session_id: null,
            state: "paid",
            paid_at: expect.any(Date),
            captured_at: null,
            settled_at: null,
            attention_reason: "duplicate_payment",
            attention_since: expect.any(Date),
            attention_resolved_at: null,
            next_check_at: expect.any(Date),
          })
          expect(await timelineOf(trx, "cpreq_1")).toEqual([
            {
              type: "attention",
              detail: {
                reason: "duplicate_payment",
                note: expect.stringContaining("and cpreq_2 were recorded"),
              },
            },
          ])
        }
      )
    })

    it("keeps it for the one that was captured first when none or both claimed it", async () => {
      const claimed = { paid_session_id: "payses_1" }
      for (const more of [{}, claimed]) {
        await upgrade(
          [
            settled("cpreq_1", { ...more, captured_at: "2026-03-01T00:00:00Z" }),
            settled("cpreq_2", { ...more, ...LATER }),
          ],
          (after) => {
            expect(after.get("cpreq_2")).toMatchObject({ session_id: "payses_1", state: "captured" })
            expect(after.get("cpreq_1")).toMatchObject({
              paid_session_id: null,
              attention_reason: "duplicate_payment",
            })
          }
        )
      }
    })

    it("counts the session a row pays, although it was bound to another since", async () => {
      await upgrade(
        [
          settled("cpreq_1", NOT_PAID),
          settled("cpreq_2", {
            session_id: "payses_2",
            session_ids: ["payses_2"],
            paid_session_id: "payses_1",
          }),
        ],
        (after) => {
          expect(after.get("cpreq_2")).toMatchObject({
            session_id: "payses_1",
            paid_session_id: "payses_1",
            session_ids: ["payses_2", "payses_1"],
          })
          expect(after.get("cpreq_1")).toMatchObject({
            session_id: expect.stringMatching(/^stray:/),
            state: "closed",
            attention_reason: null,
            next_check_at: expect.any(Date),
          })
        }
      )
    })

    it("mends three of them, and rows that were bound to none before", async () => {
      const stray = {
        session_id: "stray:payses_9",
        session_ids: ["stray:payses_9"],
        ...NOT_SETTLED,
        state: "paid",
      }
      await upgrade(
        [
          ...["cpreq_1", "cpreq_2", "cpreq_3"].map((id) => settled(id)),
          settled("cpreq_4", { ...stray, attention_reason: "orphan_paid" }),
          settled("cpreq_5", { ...stray, attention_reason: "orphan_paid" }),
        ],
        (after) => {
          const reasons = [...after.values()].map(({ attention_reason }) => attention_reason)
          expect(reasons).toEqual([
            null,
            "duplicate_payment",
            "duplicate_payment",
            "orphan_paid",
            "orphan_paid",
          ])
          expect(new Set([...after.values()].map(({ session_id }) => session_id)).size).toBe(5)
        }
      )
    })

    it("keeps what was sent back as sent back", async () => {
      await upgrade([settled("cpreq_1"), settled("cpreq_2", { ...LATER, state: "refunded" })], (after) => {
        expect(after.get("cpreq_2")).toMatchObject({ state: "refunded", next_check_at: null })
      })
    })
  })

  it("leaves removed rows alone", async () => {
    const removed = settled("cpreq_2", { deleted_at: "2026-01-05T00:00:00Z" })
    await upgrade([settled("cpreq_1"), removed], (after) => {
      expect(after.get("cpreq_1")).toMatchObject({ session_id: "payses_1", attention_reason: null })
      expect(after.get("cpreq_2")).toMatchObject({ session_id: "payses_1", state: "captured" })
    })
  })

  it("refuses a second row of a session or of a payment from then on", async () => {
    await upgrade([settled("cpreq_1", { paid_session_id: "payses_1" })], async (_after, trx) => {
      const other = { session_id: "payses_2", session_ids: ["payses_2"], gateway_account: OLD }
      for (const broken of [
        settled("cpreq_2", { ...other, session_id: "payses_1", session_ids: ["payses_1"] }),
        settled("cpreq_2", { ...other, paid_session_id: "payses_1" }),
        settled("cpreq_2", { ...other, payment_request_id: "request-cpreq_1", gateway_origin: NEW }),
      ]) {
        const inserting = trx.transaction(async (savepoint) => await savepoint(TABLE).insert(broken))
        await expect(inserting).rejects.toMatchObject({ code: "23505" })
      }
    })
  })

  it("can be undone, and made again", async () => {
    await upgrade([settled("cpreq_1")], async (_after, trx) => {
      await migrate(trx, [MIGRATION], "down")
      const indexes = await trx("pg_indexes")
        .where({ schemaname: "upgrade", tablename: TABLE })
        .pluck("indexname")
      expect(indexes).toContain(
        "IDX_crypto_payment_request_gateway_origin_payment_request_id_unique".slice(0, 63)
      )
      expect(Object.keys(await trx(TABLE).columnInfo())).not.toContain("gateway_account")
      await migrate(trx, [MIGRATION])
      expect(await trx(TABLE).pluck("gateway_account")).toEqual([OLD])
    })
  })
})
