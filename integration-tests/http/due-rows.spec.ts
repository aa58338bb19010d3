import type { LeasedRow } from "../../.medusa/server/src/modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK } from "../support/end-state"
import { insertDueRows } from "../support/gateway-requests"
import { endOf } from "../support/paid-checkout"
import { nothingIsDue, settleDue } from "../support/settle-due"
import { describeStore } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

describeStore("due rows", (store) => {
  const readsById = async (): Promise<Record<string, number>> => {
    const counts: Record<string, number> = {}
    for (const { path } of await store.gateway.calls("GET")) {
      const id = path.split("/").at(-1) ?? ""
      counts[id] = (counts[id] ?? 0) + 1
    }
    return counts
  }
  const onceEach = (ids: string[]): Record<string, number> => Object.fromEntries(ids.map((id) => [id, 1]))

  /** On the minute the store's own tick would take part. */
  const awayFromTheMinute = async (): Promise<void> => {
    await waitUntil(
      async () => new Date().getSeconds(),
      (second) => second > 1 && second < 55
    )
  }

  it("are shared by two runs: each row is read at the gateway by exactly one", async () => {
    const ids = await insertDueRows(store, 60)
    await Promise.all([store.runSchedule(), store.runSchedule()])
    expect(await readsById()).toEqual(onceEach(ids))
    await nothingIsDue(store)
  })

  it("are all settled by one run, and by one only when the next tick overlaps", async () => {
    const ids = await insertDueRows(store, 120)
    const first = store.runSchedule()
    await waitUntil(readsById, (reads) => Object.keys(reads).length > 0)
    await Promise.all([first, store.runSchedule()])
    expect(await readsById()).toEqual(onceEach(ids))
    await nothingIsDue(store)
  })

  it("that an instance holds are left to it", async () => {
    await insertDueRows(store, 1)
    await store
      .knex("crypto_payment_request")
      .update({ lease_until: store.knex.raw("now() + interval '1 minute'") })
    await store.runSchedule()
    expect(await readsById()).toEqual({})
  })

  it("that a dead instance held are settled once its lease is over", async () => {
    const ids = await insertDueRows(store, 1)
    await store
      .knex("crypto_payment_request")
      .update({ lease_until: store.knex.raw("now() - interval '1 second'") })
    await settleDue(store)
    expect(await readsById()).toEqual(onceEach(ids))
  })

  it("are held for two minutes at most, and stay due until they are settled", async () => {
    await insertDueRows(store, 1)
    await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs: 300 })
    const run = store.runSchedule()
    const held = await waitUntil(
      async () =>
        (
          await store
            .knex("crypto_payment_request")
            .select(
              store.knex.raw("extract(epoch from lease_until - now())::float AS left_s"),
              store.knex.raw("next_check_at <= now() AS is_due")
            )
        )[0],
      ({ left_s }) => left_s !== null
    )
    await run
    expect(held.left_s).toBeGreaterThan(0)
    expect(held.left_s).toBeLessThanOrEqual(120)
    expect(held.is_due).toBe(true)
  })

  describe("that somebody else holds or reads, and that were notified of meanwhile", () => {
    const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
    const dueRow = async (): Promise<string> => {
      const [id] = await insertDueRows(store, 1)
      return `cpreq_${String(id)}`
    }
    const isDue = async (id: string): Promise<boolean> => (await ledger().queue.listDue(10)).includes(id)

    it("stay due when a returning payer's check is the first to see PAID", async () => {
      const id = await dueRow()
      const row = await ledger().requests.require(id)
      await store.gateway.pay(String(row.payment_request_id))
      expect((await ledger().gateways.check(row)).row).toMatchObject({ state: "paid" })
      expect(await isDue(id)).toBe(true)
    })

    it("are due again at once when the run that held them breaks, and in a minute when nobody asked", async () => {
      const id = await dueRow()
      for (const isAskedFor of [true, false]) {
        const row = await ledger().queue.lease(id)
        if (isAskedFor) {
          await ledger().queue.requestCheck(id)
        }
        await ledger().queue.releaseFailed(row as LeasedRow, 60_000)
        expect(await isDue(id)).toBe(isAskedFor)
      }
    })

    it("are due again at once when a refund has let go of them", async () => {
      const id = await dueRow()
      await store.knex("crypto_payment_request").where({ id }).update({ next_check_at: null })
      const row = await ledger().queue.lease(id)
      await ledger().queue.requestCheck(id)
      await ledger().queue.release(row as LeasedRow)
      expect(await isDue(id)).toBe(true)
    })
  })

  it.each([
    ["without a case", null],
    ["with a case of before, that the gateway refused", "gateway_refuses"],
    ["with a case of before, that the provider was missing", "provider_missing"],
  ])("that lost their next check are found by the schedule once they are paid, %s", async (_, reason) => {
    const { cartId, session } = await store.shopper().checkout()
    await store.gateway.pay(session.data.payment_request_id)
    await store.knex("crypto_payment_request").update({
      state: "paid",
      gateway_status: "PAID",
      paid_at: store.knex.fn.now(),
      next_check_at: null,
      attention_reason: reason,
      attention_since: reason && store.knex.raw("now() - interval '1 hour'"),
    })
    await settleDue(store)
    expect(await endOf(store, cartId)).toEqual(PAID_OK)
  })

  it("are asked of the gateway five at a time", async () => {
    const delayMs = 200
    await awayFromTheMinute()
    await insertDueRows(store, 15)
    await store.gateway.fail({ endpoint: "read", kind: "slow", delayMs })
    await store.runSchedule()
    const startedAt = (await store.gateway.calls("GET")).map(({ at }) => at).sort((a, b) => a - b)
    expect(startedAt).toHaveLength(15)
    // Reads last 200 ms, so the sixth begins when the first has ended.
    const gaps = startedAt.slice(5).map((at, index) => at - (startedAt[index] ?? 0))
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(delayMs * 0.9)
    expect((startedAt[4] ?? 0) - (startedAt[0] ?? 0)).toBeLessThan(delayMs)
  })
})
