import { migrate } from "../support/ledger-migrations"
import { describeStore } from "../support/store-under-test"
import { LATER, MIGRATION, NEW, OLD, settled, TABLE, upgrade } from "../support/upgrade-to-accounts"

describeStore("upgrading to accounts and one row for each session", (store) => {
  describe("names the accounts", () => {
    it("after each row's address, and of a provider after its newest row's", async () => {
      await upgrade(
        store,
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
      await upgrade(store, [settled("cpreq_1")], async (_after, trx) => {
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

  it("leaves removed rows alone", async () => {
    const removed = settled("cpreq_2", { deleted_at: "2026-01-05T00:00:00Z" })
    await upgrade(store, [settled("cpreq_1"), removed], (after) => {
      expect(after.get("cpreq_1")).toMatchObject({ session_id: "payses_1", attention_reason: null })
      expect(after.get("cpreq_2")).toMatchObject({ session_id: "payses_1", state: "captured" })
    })
  })

  it("refuses a second row of a session or of a payment from then on", async () => {
    await upgrade(store, [settled("cpreq_1", { paid_session_id: "payses_1" })], async (_after, trx) => {
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
    await upgrade(store, [settled("cpreq_1")], async (_after, trx) => {
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
