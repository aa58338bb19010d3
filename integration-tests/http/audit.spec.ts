import { AUDIT_RULES, AUDIT_RULE_NAMES } from "../../.medusa/server/src/modules/crypto-payments/audit/rules"
import { runAudit as auditRules } from "../../.medusa/server/src/modules/crypto-payments/audit/run-audit"
import type CryptoPaymentsModuleService from "../../.medusa/server/src/modules/crypto-payments/service"
import { runAudit, shortFindings } from "../support/audit"
import { plantDamages } from "../support/damages"
import { hear } from "../support/heard-events"
import { fillOrders } from "../support/history"
import { payOrphan, placePaidOrder } from "../support/paid-checkout"
import { describeStore, type StoreUnderTest } from "../support/store-under-test"
import { nothingIsDue } from "../support/settle-due"
import { waitUntil } from "../support/wait-until"

jest.setTimeout(300_000)

const suite = (store: StoreUnderTest): void => {
  const ledger = (): CryptoPaymentsModuleService => store.container.resolve("cryptoPayments")
  const ask = async (method: "GET" | "POST", data?: unknown, path = "") =>
    await store.http.request({
      method,
      url: `/admin/crypto-payments/audit${path}`,
      data,
      ...(await store.admin()),
    })

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
      ["booking_without_payment", id, orderId],
      ["collection_sums_differ", id, orderId],
    ])
    expect((await ask("GET")).data).toEqual({ audit: data.audit })
    const health = await store.http.get("/admin/crypto-payments/health", await store.admin())
    expect(health.data.audit).toEqual({ ran_at: data.audit.ran_at, findings: 3, incomplete: [] })
    await waitUntil(
      async () => await Promise.resolve(heard),
      ({ length }) => length > 0
    )
    await store.runSchedule()
    expect(heard).toEqual([
      {
        event_id: expect.any(String),
        findings: 3,
        rules: ["paid_without_capture", "booking_without_payment", "collection_sums_differ"],
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

  it("reports only what is still so at the second look", async () => {
    const { id } = await placePaidOrder(store)
    await nothingIsDue(store)
    const row = store.knex("crypto_payment_request").where({ id })
    await row.clone().update({ order_announced_at: null, settled_at: new Date(0) })
    const running = runAudit(store, ["order_not_announced"])
    await new Promise((resolve) => setTimeout(resolve, 1500))
    await row.clone().update({ order_announced_at: new Date() })
    expect((await running).findings).toEqual([])
  })

  it("names the rules that the database was too slow for, and finds the others", async () => {
    const { id, orderId } = await placePaidOrder(store)
    await nothingIsDue(store)
    store.leavesDamage("its capture is removed")
    await store.knex("capture").delete()
    const blocking = await store.knex.transaction()
    await blocking.raw("LOCK TABLE order_summary IN ACCESS EXCLUSIVE MODE")
    try {
      const limits = { ruleMs: 500, auditMs: 60_000 }
      const { incomplete, findings } = await auditRules(
        store.knex,
        AUDIT_RULES,
        ["pp_crypto_default"],
        limits
      )
      expect(incomplete).toEqual(["order_sums_differ"])
      expect(findings).toContainEqual({
        rule: "paid_without_capture",
        message: expect.any(String),
        request_ids: [id],
        order_ids: [orderId],
      })
    } finally {
      await blocking.rollback()
    }
    const { incomplete } = await auditRules(store.knex, AUDIT_RULES, [], { ruleMs: 500, auditMs: 0 })
    expect(incomplete).toEqual(AUDIT_RULE_NAMES)
  })

  it("refuses rules it does not know, a second run beside the first, and strangers", async () => {
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

  it("is due after a day, and after an upgrade", async () => {
    expect(await ledger().audits.isDue()).toBe(true)
    await runAudit(store)
    expect(await ledger().audits.isDue()).toBe(false)
    await store.knex("crypto_payment_audit").update({ ran_at: store.knex.raw("now() - interval '26 hours'") })
    expect(await ledger().audits.isDue()).toBe(true)
    await store.knex("crypto_payment_audit").update({ ran_at: new Date(), versions: "of before" })
    expect(await ledger().audits.isDue()).toBe(true)
  })

  it("reads a hundred thousand payments a few times over, and shows a hundred findings of many", async () => {
    await fillOrders(store, 100_000)
    store.leavesDamage("many bookings are removed")
    const clean = await runAudit(store)
    expect(clean).toMatchObject({ findings: [], incomplete: [], checked: { payments: 100_000 } })
    const begun = performance.now()
    await store.knex.raw(
      `SELECT count(*) FROM crypto_payment_request r
         JOIN payment p ON p.payment_session_id = r.paid_session_id JOIN capture cap ON cap.payment_id = p.id
         JOIN order_transaction t ON t.reference_id = cap.id JOIN "order" o ON o.id = t.order_id`
    )
    // Not a time, which a busy machine would stretch: it is a few reads of everything, and nothing by row.
    expect(clean.duration_ms / (performance.now() - begun)).toBeLessThan(100)
    await store.knex("order_transaction").whereRaw("id LIKE '%7'").delete()
    const damaged = await runAudit(store, ["capture_not_booked"])
    expect([damaged.findings.length, damaged.found]).toEqual([100, 10_000])
  })
}

// As a server of its own, so that no schedule mends what is planted.
describeStore("the audit", suite, { WORKER_MODE: "server" })
