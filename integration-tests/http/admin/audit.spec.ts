import { Modules } from "@medusajs/framework/utils"
import { refundPaymentsWorkflow } from "@medusajs/medusa/core-flows"
import {
  AUDIT_RULE_NAMES,
  RULES,
  runAudit as auditRules,
} from "../../../.medusa/server/src/modules/crypto-payments/checks/audits"
import type CryptoPaymentsModuleService from "../../../.medusa/server/src/modules/crypto-payments/service"
import { runAudit, runAuditAround, shortFindings } from "../../support/audit"
import { plantDamages } from "../../support/damages"
import { hear } from "../../support/heard-events"
import { fillOrders } from "../../support/history"
import { rowsTouched, type PlanNode } from "../../support/query-plan"
import { payOrphan, placePaidOrder } from "../../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../../support/store-under-test"
import { nothingIsDue } from "../../support/settle-due"
import { waitUntil } from "../../support/wait-until"

/** `npm run test:deep` audits a hundred thousand. */
const MANY = Number(process.env["AUDIT_PAYMENTS"] ?? 10_000)
/** How often a rule may read all payments, or as many rows of other tables. */
const MOST_READS = 20
// It plants each damage in a store of its own making: half a hundred orders.
jest.setTimeout(600_000)

const suite = (store: StoreUnderTest): void => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const ask = async (method: "GET" | "POST", data?: unknown, path = "") =>
    await store.http.request({
      method,
      url: `/admin/crypto-payments/audit${path}`,
      data,
      ...(await store.admin()),
    })

  /** The time of every statement that waits for a lock is over, until the work has ended: Postgres ends them alike. */
  const whileTimeIsOver = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false
    void work.finally(() => {
      isOver = true
    })
    await waitUntil(
      async () => {
        await store.knex.raw(
          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return isOver
      },
      (over) => over
    )
    return await work
  }

  /** How many rows of tables a rule reads. */
  const rowsOf = async (sql: string): Promise<number> => {
    const { rows } = await store.knex.raw<{ rows: { "QUERY PLAN": [{ Plan: PlanNode }] }[] }>(
      `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${sql}`
    )
    return rows.reduce((sum, row) => sum + rowsTouched(row["QUERY PLAN"][0].Plan), 0)
  }

  it("finds each planted damage, and nothing else", async () => {
    store.leavesDamage("every rule is broken")
    const planted = await plantDamages(store)
    const report = await runAudit(store)
    expect(report.incomplete).toEqual([])
    const found = report.findings.map(({ rule, request_ids, order_ids }) => ({
      rule,
      damages: planted
        .filter(({ ids }) => ids.some((id) => request_ids.includes(id) || order_ids.includes(id)))
        .map(({ name }) => name),
    }))
    const byDamage = Object.fromEntries(
      planted.map(({ name }) => [
        name,
        [...new Set(found.flatMap(({ rule, damages }) => (damages.includes(name) ? [rule] : [])))].sort(),
      ])
    )
    expect(byDamage).toEqual(Object.fromEntries(planted.map(({ name, rules }) => [name, [...rules].sort()])))
    expect(found.filter(({ damages }) => damages.length === 0)).toEqual([])
    expect(new Set(planted.flatMap(({ rules }) => rules))).toEqual(new Set(AUDIT_RULE_NAMES))
  })

  it("is kept, shown in health and told once, with ids and rules only", async () => {
    expect((await ask("GET")).data).toEqual({ audit: null })
    const heard = hear(store, "crypto_payment.audit_failed")
    const { id, orderId } = await placePaidOrder(store)
    await nothingIsDue(store)
    store.leavesDamage("its capture is removed")
    await store.knex("capture").delete()
    const { status, data } = await ask("POST", {})
    expect(status).toBe(200)
    expect(data.audit).toMatchObject({ checked: { payments: 1, captures: 0, refunds: 0 }, incomplete: [] })
    expect(shortFindings(data.audit)).toEqual([
      ["paid_without_capture", id, orderId],
      ["collection_sums_differ", id, orderId],
    ])
    expect((await ask("GET")).data).toEqual({ audit: data.audit })
    const health = await store.http.get("/admin/crypto-payments/health", await store.admin())
    expect(health.data.audit).toEqual({ ran_at: data.audit.ran_at, findings: 2, incomplete: [] })
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    await store.runSchedule()
    expect(heard).toEqual([
      {
        event_id: expect.any(String),
        findings: 2,
        rules: ["paid_without_capture", "collection_sums_differ"],
      },
    ])
  })

  it("finds nothing in a store that is settling, nor where a case tells of it", async () => {
    const { id } = await payOrphan(store)
    await placePaidOrder(store)
    await nothingIsDue(store)
    const report = await runAudit(store)
    expect(report).toMatchObject({ findings: [], found: 0, checked: { payments: 2, captures: 1 } })
    await store
      .knex("crypto_payment_request")
      .where({ id })
      .update({
        attention_reason: null,
        lease_id: "another",
        lease_until: store.knex.raw("now() + interval '1 minute'"),
      })
    expect(await runAudit(store)).toMatchObject({ findings: [], found: 0 })
  })

  it("finds nothing in what others book on the order, nor in what a batch of core's refunded", async () => {
    const [{ orderId }, other] = [await placePaidOrder(store), await placePaidOrder(store)]
    await nothingIsDue(store)
    store.leavesDamage("the refund is core's own, of another provider")
    await store.knex("payment").where({ id: other.paymentId }).update({ provider_id: "pp_system_default" })
    await refundPaymentsWorkflow(store.container).run({ input: [{ payment_id: other.paymentId, amount: 5 }] })
    const orders = store.container.resolve(Modules.ORDER)
    const foreign = { order_id: orderId, amount: 3, currency_code: "usd" }
    await orders.addOrderTransactions({
      ...foreign,
      reference: "capture",
      reference_id: "pi_of_another_shop",
    })
    await orders.addOrderTransactions({ ...foreign, reference: "refund", reference_id: "erp-4711" })
    const rules = ["capture_not_booked", "order_sums_differ"]
    expect(shortFindings(await runAudit(store, rules))).toEqual([])
  })

  it("reports only what is still so at the second look", async () => {
    const { id } = await placePaidOrder(store)
    await nothingIsDue(store)
    const row = store.knex("crypto_payment_request").where({ id })
    await row.clone().update({ order_announced_at: null, settled_at: new Date(0) })
    const audited = await runAuditAround(store, "order_not_announced", async () => {
      await row.clone().update({ order_announced_at: new Date() })
    })
    expect(audited).toMatchObject({ seenFirst: 1, findings: [] })
  })

  it("counts what both looks saw, however many others come first at the second look", async () => {
    await fillOrders(store, 400)
    store.leavesDamage("many bookings are removed")
    const booked = store.knex("order_transaction")
    await booked.clone().where("id", ">", "ordtrx_cpreq_ord2").delete()
    const { found: before } = await runAudit(store, ["capture_not_booked"])
    let deleted = 0
    const { seenFirst, found, findings } = await runAuditAround(store, "capture_not_booked", async () => {
      deleted = await booked.clone().delete()
    })
    expect(deleted).toBeGreaterThan(100)
    expect(before).toBeGreaterThan(200)
    expect([seenFirst, findings.length, found]).toEqual([before, 100, before])
  })

  it("names the rules that the database was too slow for, and finds the others", async () => {
    const { id, orderId } = await placePaidOrder(store)
    await nothingIsDue(store)
    store.leavesDamage("its capture is removed")
    await store.knex("capture").delete()
    const limits = { ruleMs: 234_567, auditMs: 600_000 }
    const blocking = await store.knex.transaction()
    await blocking.raw("LOCK TABLE order_summary IN ACCESS EXCLUSIVE MODE")
    try {
      const timeouts = new Set<string>()
      const listen = ({ sql }: { sql: string }): void => {
        timeouts.add(/statement_timeout = (\d+)/.exec(sql)?.[1] ?? "")
      }
      store.knex.on("query", listen)
      const { incomplete, findings } = await whileTimeIsOver(auditRules(store.knex, RULES, limits))
      store.knex.off("query", listen)
      expect(timeouts).toContain("234567")
      expect(incomplete).toEqual([
        "order_sums_differ",
        "order_overpaid",
        "order_underpaid",
        "case_sum_differs",
      ])
      expect(findings).toContainEqual({
        rule: "paid_without_capture",
        message: expect.any(String),
        request_ids: [id],
        order_ids: [orderId],
      })
      await blocking.raw("LOCK TABLE capture IN ACCESS EXCLUSIVE MODE")
      const { checked } = await whileTimeIsOver(auditRules(store.knex, [], limits))
      expect(checked).toEqual({ payments: null, captures: null, refunds: null })
    } finally {
      await blocking.rollback()
    }
    const { incomplete } = await auditRules(store.knex, RULES, { ...limits, auditMs: 0 })
    expect(incomplete).toEqual(AUDIT_RULE_NAMES)
  })

  it("names the rules that a stored value keeps from being checked, and finds the others", async () => {
    const [damaged, other] = [await placePaidOrder(store), await placePaidOrder(store)]
    const { id, orderId, paymentId } = damaged
    await nothingIsDue(store)
    store.leavesDamage("an amount is none, and a capture is removed")
    await store.knex("crypto_payment_request").where({ id: other.id }).update({ gateway_amount: "twenty" })
    await store.knex("capture").where({ payment_id: paymentId }).delete()
    const report = await runAudit(store)
    const { incomplete } = report
    expect(incomplete).toContain("captured_otherwise")
    expect(report.checked).toEqual({ payments: 2, captures: 1, refunds: 0 })
    expect(shortFindings(report)).toContainEqual(["paid_without_capture", id, orderId])
    const health = await store.http.get("/admin/crypto-payments/health", await store.admin())
    expect(health.data.audit.incomplete).toEqual(incomplete)
  })

  it("refuses rules it does not know, a second run during the first, and strangers", async () => {
    const unknown = await ask("POST", { rules: ["no_such_rule"] })
    expect([unknown.status, unknown.data.message]).toEqual([400, expect.stringContaining("rules")])
    expect((await ask("POST", { rules: [] })).status).toBe(400)
    expect((await ask("POST", { repair: true })).status).toBe(400)
    expect((await store.http.post("/admin/crypto-payments/audit", {})).status).toBe(401)
    const holding = await store.knex.transaction()
    await holding.raw("SELECT pg_advisory_xact_lock(hashtext('crypto_payment_audit'))")
    try {
      const busy = await ask("POST", {})
      expect([busy.status, busy.data.code]).toEqual([409, "already_running"])
    } finally {
      await holding.rollback()
    }
    expect((await ask("GET")).data).toEqual({ audit: null })
  })

  it("is due after a day", async () => {
    expect(await ledger().audits.isDue()).toBe(true)
    await runAudit(store)
    expect(await ledger().audits.isDue()).toBe(false)
    await store.knex("crypto_payment_audit").update({ ran_at: store.knex.raw("now() - interval '26 hours'") })
    expect(await ledger().audits.isDue()).toBe(true)
  })

  it(`reads ${MANY} payments a few times over, and shows a hundred findings of many`, async () => {
    await fillOrders(store, MANY)
    store.leavesDamage("many bookings are removed")
    const clean = await runAudit(store)
    expect(clean).toMatchObject({ findings: [], incomplete: [], checked: { payments: MANY } })
    // A few reads of everything, and nothing by row: each rule reads each of the tables it needs once, or a little more.
    const touched = await Promise.all(RULES.map(async ({ name, sql }) => [name, await rowsOf(sql)] as const))
    expect(touched.filter(([, rows]) => rows > MOST_READS * MANY)).toEqual([])
    await store.knex("order_transaction").whereRaw("id LIKE '%7'").delete()
    const damaged = await runAudit(store, ["capture_not_booked"])
    expect([damaged.findings.length, damaged.found]).toEqual([100, MANY / 10])
  })
}

describeStore("the audit", suite)
