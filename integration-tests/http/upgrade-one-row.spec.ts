import { describeStore } from "../support/store-under-test"
import {
  LATER,
  NEW,
  NOT_PAID,
  NOT_SETTLED,
  settled,
  timelineOf,
  upgrade,
} from "../support/upgrade-to-accounts"

describeStore("upgrading to accounts and one row for each session", (store) => {
  describe("of a payment that was recorded twice when the address changed", () => {
    const same = { payment_request_id: "request-1" }

    it("keeps the row that settled first and says so in its timeline", async () => {
      await upgrade(
        store,
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
        store,
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
        store,
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
        store,
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
        store,
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
        store,
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
        store,
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
          store,
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
        store,
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

    it("repairs three of them, and rows that were bound to none before", async () => {
      const stray = {
        session_id: "stray:payses_9",
        session_ids: ["stray:payses_9"],
        ...NOT_SETTLED,
        state: "paid",
      }
      await upgrade(
        store,
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
      await upgrade(
        store,
        [settled("cpreq_1"), settled("cpreq_2", { ...LATER, state: "refunded" })],
        (after) => {
          expect(after.get("cpreq_2")).toMatchObject({ state: "refunded", next_check_at: null })
        }
      )
    })
  })
})
