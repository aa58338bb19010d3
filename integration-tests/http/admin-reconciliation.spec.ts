import { ReconciliationRuns } from "../../.medusa/server/src/modules/crypto-payments/reconciliation/runs"
import { reconcileGatewayList } from "../../.medusa/server/src/workflows"
import { describeAdminRoutes } from "../support/admin-routes"
import { neverGiveUpCalls } from "../support/held-timers"

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
        run_id: expect.stringMatching(/^cprec_/) as string,
        runs: [{ outcome: "complete", listed: 1, findings: 1 }],
      })
      const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
      expect(String(csv.data)).toContain(`check_requested,${session.data.payment_request_id},PAID,cpreq_`)
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
      run_id: string | null
      running_since: string | null
      runs: { id: string; started_at: string; started_by: object }[]
    }
    const last = async (): Promise<Last> =>
      (await get(`/reconciliation?provider_id=${provider_id}`)).data as Last

    it("keeps the last report through any number of runs in which nothing was compared", async () => {
      await post("/reconciliation", { provider_id })
      const { run_id } = await last()
      await store.gateway.fail({ endpoint: "list", kind: "status", status: 401, times: 100 })
      for (let run = 0; run < 32; run++) {
        expect((await post("/reconciliation", { provider_id })).status).toBe(502)
      }
      const after = await last()
      expect([after.run_id, after.runs.length]).toEqual([run_id, 31])
    })

    it.each([
      ["answers with 503", { kind: "status", status: 503 }, "unreachable"],
      ["refuses", { kind: "status", status: 401 }, "refused"],
      ["answers with something else", { kind: "html", status: 404 }, "not_this_api"],
    ] as const)(
      "of a gateway that %s is 502, replaces nothing and stays in the history",
      async (_, fault, problem) => {
        const { session } = await store.shopper().checkout()
        await store.gateway.pay(session.data.payment_request_id)
        const { data } = await post("/reconciliation", { provider_id })
        expect(data.report.rows).toHaveLength(1)
        const before = await last()
        await store.gateway.fail({ endpoint: "list", times: 100, ...fault })
        const failed = await post("/reconciliation", { provider_id })
        expect([failed.status, failed.data.code]).toEqual([502, problem])
        const after = await last()
        expect([after.report, after.run_id, after.running_since]).toEqual([
          before["report"],
          before["run_id"],
          null,
        ])
        expect(after.runs).toMatchObject([
          { outcome: "failed", problem, listed: null, findings: null },
          { outcome: "complete", problem: null, findings: 1 },
        ])
        const csv = await get(`/reconciliation/export?provider_id=${provider_id}`)
        expect(String(csv.data)).toContain(session.data.payment_request_id)
      }
    )

    it("of a gateway that answers in part is kept as incomplete", async () => {
      await store.shopper().checkout()
      await store.shopper().checkout()
      await store.gateway.change({ listBehaviour: "ignore_page", listPageSize: 1 })
      const { status, data } = await post("/reconciliation", { provider_id })
      expect([status, data.report.complete, data.report.gateway_problem]).toEqual([200, false, null])
      expect((await last()).runs).toMatchObject([{ outcome: "incomplete" }])
    })

    it("says who or what started it, by the name they have now", async () => {
      await post("/reconciliation", { provider_id })
      await store.compareListsAtNight()
      await reconcileGatewayList(store.container, { provider_id })
      const title = "Nightly tool"
      const { headers } = await store.admin()
      const key = await store.http.post("/admin/api-keys", { title, type: "secret" }, { headers })
      const basic = Buffer.from(`${String(key.data.api_key.token)}:`).toString("base64")
      const byKey = await store.http.post(
        "/admin/crypto-payments/reconciliation",
        { provider_id },
        { headers: { authorization: `Basic ${basic}` } }
      )
      expect(byKey.status).toBe(200)
      expect((await last()).runs.map(({ started_by }) => started_by)).toEqual([
        { type: "api_key", id: expect.stringMatching(/^apk_/) as string, name: title },
        { type: "script", id: null, name: null },
        { type: "schedule", id: null, name: null },
        { type: "user", id: expect.stringMatching(/^user_/) as string, name: expect.any(String) as string },
      ])
    })

    it("keeps the newest thirty runs, and shows the report of each", async () => {
      for (let run = 0; run < 32; run++) {
        await reconcileGatewayList(store.container, { provider_id })
      }
      const { runs } = await last()
      expect(runs).toHaveLength(30)
      expect(await store.knex("crypto_payment_reconciliation").pluck("id")).toHaveLength(30)
      const oldest = runs[29]
      const { data } = await get(`/reconciliation?provider_id=${provider_id}&run_id=${oldest?.id ?? ""}`)
      expect([data.run_id, data.report.started_at]).toEqual([oldest?.id, oldest?.started_at])
      expect((await get(`/reconciliation?provider_id=${provider_id}&run_id=cprec_0`)).status).toBe(404)
    })

    it("shows a run whose process died as interrupted, and begins another one", async () => {
      const runs = new ReconciliationRuns(store.knex)
      await runs.start(provider_id, { type: "schedule" })
      expect((await last()).runs).toMatchObject([{ outcome: "running" }])
      await store
        .knex("crypto_payment_reconciliation")
        .where({ provider_id })
        .update({ updated_at: new Date(0) })
      expect((await last()).runs).toMatchObject([{ outcome: "interrupted" }])
      expect((await post("/reconciliation", { provider_id })).status).toBe(200)
      expect((await last()).runs).toMatchObject([{ outcome: "complete" }, { outcome: "interrupted" }])
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
