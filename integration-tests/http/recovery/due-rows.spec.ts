import { randomUUID } from "node:crypto"
import type { LeasedRow } from "../../../.medusa/server/src/modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { PAID_OK } from "../../support/end-state"
import { insertDueRows } from "../../support/gateway-requests"
import { neverGiveUpCalls } from "../../support/held-timers"
import { endOf } from "../../support/paid-checkout"
import { nothingIsDue, settleDue, settleBeside } from "../../support/settle-due"
import { describeStore } from "../../support/store-under-test"

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

  it("are shared by two runs: each row is read at the gateway by exactly one", async () => {
    const ids = await insertDueRows(store, 60)
    await Promise.all([store.runSchedule(), store.runSchedule()])
    expect(await readsById()).toEqual(onceEach(ids))
    await nothingIsDue(store)
  })

  it("are all settled by one run, and by one only when the next tick overlaps", async () => {
    const ids = await insertDueRows(store, 120)
    await store.gateway.hold("read")
    const first = store.runSchedule()
    await store.gateway.untilHeld(1)
    const next = store.runSchedule()
    await store.gateway.release()
    await Promise.all([first, next])
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

  it("are held for half a minute at most, and stay due until they are settled", async () => {
    await insertDueRows(store, 1)
    await store.gateway.hold("read")
    const run = store.runSchedule()
    await store.gateway.untilHeld(1)
    const [held] = await store
      .knex("crypto_payment_request")
      .select(
        store.knex.raw("extract(epoch from lease_until - now())::float AS left_s"),
        store.knex.raw("next_check_at <= now() AS is_due")
      )
    await store.gateway.release()
    await run
    expect(held.left_s).toBeGreaterThan(0)
    expect(held.left_s).toBeLessThanOrEqual(30)
    expect(held.is_due).toBe(true)
  })

  describe("that somebody else holds or reads, and that were notified of meanwhile", () => {
    const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
    const dueRow = async (): Promise<string> => {
      const [id] = await insertDueRows(store, 1)
      return `cpreq_${String(id)}`
    }
    const isDue = async (id: string): Promise<boolean> =>
      (
        await store
          .knex("crypto_payment_request")
          .where({ id, lease_id: null })
          .whereRaw("next_check_at <= now()")
      ).length > 0

    it("stay due when a returning payer's check is the first to see PAID", async () => {
      const id = await dueRow()
      const row = await ledger().requests.require(id)
      await store.gateway.pay(String(row.payment_request_id))
      expect(await ledger().gateways.check(row)).toMatchObject({ state: "paid" })
      expect(await isDue(id)).toBe(true)
    })

    it("are paid for a read that fails, when another one has seen PAID meanwhile", async () => {
      const id = await dueRow()
      const before = await ledger().requests.require(id)
      await store.knex("crypto_payment_request").where({ id }).update({ state: "paid", paid_at: new Date() })
      const checked = await ledger().gateways.check({ ...before, payment_request_id: randomUUID() })
      expect(checked).toMatchObject({ id, state: "paid", failure: null })
      store.leavesDamage("the gateway knows of no such payment")
    })

    it("are due again at once when the run that held them breaks, and later when nobody asked", async () => {
      const id = await dueRow()
      for (const isAskedFor of [true, false]) {
        const row = await ledger().leases.lease(id)
        if (isAskedFor) {
          await ledger().queue.requestCheck(id)
        }
        // As after eight that failed: the next one is minutes away.
        await store.knex("crypto_payment_request").where({ id }).update({ settles_begun: 8 })
        await ledger().leases.releaseFailed(row as LeasedRow)
        expect(await isDue(id)).toBe(isAskedFor)
      }
    })

    it("are due again at once when a refund has let go of them", async () => {
      const id = await dueRow()
      await store.knex("crypto_payment_request").where({ id }).update({ next_check_at: null })
      const row = await ledger().leases.lease(id)
      await ledger().queue.requestCheck(id)
      await ledger().leases.release(row as LeasedRow)
      expect(await isDue(id)).toBe(true)
    })
  })

  describe("that were unpaid when they were last read", () => {
    const insertRead = async (count: number): Promise<string[]> => {
      const ids = await insertDueRows(store, count)
      await store
        .knex("crypto_payment_request")
        .update({ gateway_status: "UNPAID", created_at: store.knex.raw("now() - interval '3 days'") })
      return ids
    }
    const countStatements = async (): Promise<number> => {
      let sent = 0
      const count = (): void => {
        sent++
      }
      store.knex.on("query", count)
      await store.runSchedule()
      store.knex.off("query", count)
      return sent
    }

    it("and still are, are checked again in a day, with a fifth of a statement for each at most", async () => {
      const ofSweeps = await countStatements()
      const ids = await insertRead(100)
      expect((await countStatements()) - ofSweeps).toBeLessThanOrEqual(20)
      expect(await readsById()).toEqual(onceEach(ids))
      const rows = await store
        .knex("crypto_payment_request")
        .select(
          "lease_id",
          "settles_begun",
          "gateway_amount",
          "failure",
          store.knex.raw("round(extract(epoch from next_check_at - now()) / 3600)::int AS due_in_hours"),
          store.knex.raw("last_checked_at > now() - interval '5 minutes' AS is_read")
        )
      expect(rows).toEqual(
        Array(100).fill({
          lease_id: null,
          settles_begun: 0,
          gateway_amount: "20.01000000000000",
          failure: null,
          due_in_hours: 24,
          is_read: true,
        })
      )
      expect(await store.knex("crypto_payment_activity")).toEqual([])
    })

    it("are read again and settled one by one when they are paid, unknown, or notified of while they are read", async () => {
      const [paid, unknown, notified, ...others] = await insertRead(20)
      await store.gateway.pay(String(paid))
      const missing = randomUUID()
      const requests = (id: unknown) =>
        store.knex("crypto_payment_request").where({ id: `cpreq_${String(id)}` })
      await requests(unknown).update({ payment_request_id: missing })
      await store.gateway.hold("read")
      const run = store.runSchedule()
      await store.gateway.untilHeld(5)
      await requests(notified).update({ check_requested_at: store.knex.fn.now() })
      await store.gateway.release()
      await run
      await nothingIsDue(store)

      const lease_id = null
      expect(await requests(paid).first()).toMatchObject({ state: "paid", gateway_status: "PAID", lease_id })
      expect(await requests(unknown).first()).toMatchObject({ failure: "unknown_to_gateway", lease_id })
      expect(await requests(notified).first()).toMatchObject({ check_requested_at: null, lease_id })
      expect(await readsById()).toEqual({
        ...onceEach(others),
        [String(paid)]: 2,
        [missing]: 2,
        [String(notified)]: 2,
      })
      store.leavesDamage("money that no session waits for")
    })

    it("look no newer than their reads", async () => {
      const [id] = await insertRead(1)
      await store.gateway.hold("read")
      const run = store.runSchedule()
      await store.gateway.untilHeld(1)
      const { rows } = await store.knex.raw<{ rows: [{ now: Date }] }>("SELECT clock_timestamp() AS now")
      await store.gateway.release()
      await run
      const row = await store
        .knex("crypto_payment_request")
        .where({ payment_request_id: id })
        .first("last_checked_at")
      expect(row.last_checked_at.getTime()).toBeLessThanOrEqual(rows[0].now.getTime())
    })

    it("are taken next to others, each kind as far as it has places", async () => {
      await insertRead(24)
      const failing = (await insertDueRows(store, 4)).map((id) => `cpreq_${id}`)
      await store
        .knex("crypto_payment_request")
        .whereIn("id", failing)
        .update({ failure: "unreadable", next_check_at: store.knex.raw("now() - interval '2 minutes'") })
      const lease = async (scheduled: number, routine: number): Promise<string[]> =>
        (
          await store.container
            .resolve<CryptoPaymentsModuleService>("cryptoPayments")
            .queue.leaseDue({ asked: 5, scheduled, routine })
        ).map(({ kind }) => kind)
      const taken = await lease(3, 25)
      // The four that fail are the longest due, and one of them has no place.
      expect([taken.length, taken.filter((kind) => kind === "scheduled").length]).toEqual([24, 3])
      expect(await lease(5, 0)).toEqual(["scheduled"])
      expect(await lease(0, 25)).toEqual(["routine", "routine", "routine"])
    })

    it("have what Medusa has for each of them", async () => {
      await store.shopper().checkout()
      await store.shopper().checkout()
      const { facts } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
      const ids = (await store.knex("crypto_payment_request").select("id")).map(({ id }) => String(id))
      const read = await facts.readAll(ids)
      expect([...new Set([...read.values()].map(({ cart_id }) => cart_id))]).toHaveLength(2)
      for (const id of ids) {
        expect({ ...read.get(id), database_now: null }).toEqual({
          ...(await facts.read(id)),
          database_now: null,
        })
      }
    })
  })

  it("because their orders changed come after those that were notified of", async () => {
    const [first, second, notified] = await insertDueRows(store, 3)
    const { queue } = store.container.resolve<CryptoPaymentsModuleService>("cryptoPayments")
    const change = async (id: unknown, changes: Record<string, unknown>): Promise<void> => {
      await store.knex("crypto_payment_request").where({ payment_request_id: id }).update(changes)
    }
    for (const [seconds, id] of [first, second, notified].entries()) {
      const next_check_at = store.knex.raw("now() - make_interval(secs => ?)", [5 - seconds])
      await change(id, { check_trigger: "order_changed", next_check_at })
    }
    await change(notified, { check_trigger: "notification", state: "open", order_id: "order_changed" })
    await queue.makeOrderDue("order_changed", "changed")
    const lease = async (asked: number): Promise<unknown[]> =>
      (await queue.leaseDue({ asked, scheduled: 5, routine: 0 }))
        .map(({ payment_request_id }) => payment_request_id)
        .sort()
    expect(await lease(1)).toEqual([notified])
    expect(await lease(5)).toEqual([first, second].sort())
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

  describe("while the gateway answers nothing", () => {
    neverGiveUpCalls()

    it("are asked of it three at a time", async () => {
      const [beside, ...ids] = await insertDueRows(store, 16)
      await store
        .knex("crypto_payment_request")
        .where({ payment_request_id: beside })
        .update({ next_check_at: store.knex.raw("now() + interval '1 day'") })
      await store.gateway.hold("read")
      const run = store.runSchedule()
      await store.gateway.untilHeld(3)
      const first = Object.keys(await readsById())
      // When it has reached the gateway, a fourth of them would have, too.
      const settling = settleBeside(store, `cpreq_${String(beside)}`)
      await store.gateway.untilHeld(4)
      expect(await readsById()).toEqual(onceEach([...first, String(beside)]))
      // One of the three turns ends, and one more row is read.
      await store.gateway.release(1)
      await store.gateway.untilHeld(4)
      expect(Object.keys(await readsById())).toHaveLength(5)
      await store.gateway.release()
      await Promise.all([run, settling])
      expect(await readsById()).toEqual(onceEach([...ids, String(beside)]))
    })
  })
})
