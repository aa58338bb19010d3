import { ReconciliationRuns } from "../../../.medusa/server/src/modules/crypto-payments/reconciliation/runs"
import { describeAdminRoutes } from "../../support/admin-routes"
import { neverGiveUpCalls } from "../../support/held-timers"

describeAdminRoutes("the ledger over the admin routes", ({ store, get, post }) => {
  describe("reconciliation", () => {
    const provider_id = "pp_crypto_default"
    neverGiveUpCalls()

    it("runs, is kept, and comes as a file", async () => {
      expect((await get(`/reconciliation/export?provider_id=${provider_id}`)).status).toBe(404)
      const { session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const { status, data } = await post("/reconciliation", { provider_id })
      expect([status, data.report.complete, data.report.counts.check_requested]).toEqual([200, true, 1])
      const kept = await get(`/reconciliation?provider_id=${provider_id}`)
      expect(kept.data).toMatchObject({
        report: data.report,
        running_since: null,
        failed: null,
      })
      const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
      expect(String(csv.data)).toContain(
        `check_requested,"'${session.data.payment_request_id}",PAID,"'cpreq_`
      )
    })

    it("comes as a file in which an id of digits keeps its digits", async () => {
      const payment_request_id = "00123456789012345678"
      await store.gateway.putInList({ payment_request_id, amount: 5 })
      expect((await post("/reconciliation", { provider_id })).status).toBe(200)
      const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
      expect(String(csv.data)).toContain(`unreadable,"'${payment_request_id}",`)
    })

    interface Last {
      report: unknown
      running_since: string | null
      failed: { started_at: string; problem: string | null } | null
    }
    const last = async (): Promise<Last> =>
      (await get(`/reconciliation?provider_id=${provider_id}`)).data as Last

    it("keeps the last report through any number of runs in which nothing was compared", async () => {
      await post("/reconciliation", { provider_id })
      const { report } = await last()
      await store.gateway.fail({ endpoint: "list", kind: "status", status: 401, times: 100 })
      for (let run = 0; run < 3; run++) {
        expect((await post("/reconciliation", { provider_id })).status).toBe(502)
      }
      expect((await last()).report).toEqual(report)
      await store.gateway.recover()
      await post("/reconciliation", { provider_id })
      const after = await last()
      expect([after.failed, after.report]).toEqual([null, expect.not.objectContaining(report as object)])
    })

    it.each([
      ["answers with 503", { kind: "status", status: 503 }, "unreachable"],
      ["refuses", { kind: "status", status: 401 }, "refused"],
      ["answers with something else", { kind: "html", status: 404 }, "not_this_api"],
    ] as const)("of a gateway that %s is 502, replaces nothing and is named", async (_, fault, problem) => {
      const { session } = await store.shopper().checkout()
      await store.gateway.pay(session.data.payment_request_id)
      const { data } = await post("/reconciliation", { provider_id })
      expect(data.report.rows).toHaveLength(1)
      const before = await last()
      await store.gateway.fail({ endpoint: "list", times: 100, ...fault })
      const failed = await post("/reconciliation", { provider_id })
      expect([failed.status, failed.data.code]).toEqual([502, problem])
      const after = await last()
      expect(after).toEqual({
        report: before.report,
        running_since: null,
        failed: { started_at: expect.any(String) as string, problem },
      })
      const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
      expect(String(csv.data)).toContain(session.data.payment_request_id)
    })

    it("of a gateway that answers in part is kept as incomplete", async () => {
      await store.shopper().checkout()
      await store.shopper().checkout()
      await store.gateway.change({ listBehaviour: "ignore_page", listPageSize: 1 })
      const { status, data } = await post("/reconciliation", { provider_id })
      expect([status, data.report.complete, data.report.gateway_problem]).toEqual([200, false, null])
      expect(await last()).toEqual({ report: data.report, running_since: null, failed: null })
    })

    it("says that a run whose process died was interrupted, and begins another one", async () => {
      const runs = new ReconciliationRuns(store.knex)
      const dead = await runs.start(provider_id)
      expect(await last()).toEqual({
        report: null,
        running_since: expect.any(String) as string,
        failed: null,
      })
      await store
        .knex("crypto_payment_reconciliation")
        .where({ id: provider_id })
        .update({ updated_at: new Date(0) })
      expect(await last()).toMatchObject({ running_since: null, failed: { problem: "interrupted" } })
      const { status, data } = await post("/reconciliation", { provider_id })
      expect(status).toBe(200)
      // It was only slow: what it writes now changes nothing.
      await runs.end(dead as NonNullable<typeof dead>, { problem: null })
      expect(await last()).toEqual({ report: data.report, running_since: null, failed: null })
    })

    it("runs once at a time, and says so", async () => {
      await store.shopper().checkout()
      await store.gateway.hold("list")
      const first = post("/reconciliation", { provider_id })
      await store.gateway.untilHeld(1)
      expect((await get(`/reconciliation?provider_id=${provider_id}`)).data.running_since).not.toBeNull()
      const second = await post("/reconciliation", { provider_id })
      expect([second.status, second.data.code]).toEqual([409, "already_running"])
      await store.gateway.release()
      expect((await first).status).toBe(200)
      expect((await post("/reconciliation", { provider_id })).status).toBe(200)
    })
  })
})
