import { ProviderStatusStore } from "../../.medusa/server/src/modules/crypto-payments/health/provider-status"
import { CapturedOutput } from "../support/captured-output"
import { notificationData, signedBody } from "../support/notification"
import { describeSettings, PROVIDER } from "../support/settings-under-test"
import { SECRET_KEY } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

describeSettings("settings saved in the admin", ({ store, publicAddress, get, post, complete, stored }) => {
  describe("tested before they are saved", () => {
    it("read the balances and save nothing", async () => {
      const { version: _version, ...form } = complete()
      const { status, data } = await post(form, "/check")
      expect([status, data.ok, data.problem]).toEqual([200, true, null])
      expect(data.balances_count).toBeGreaterThan(0)
      expect(await stored()).toBeUndefined()
    })

    it("use the saved secret for a blank one, at its own origin", async () => {
      await post(complete())
      expect((await post({ auth: { type: "bearer", token: "" } }, "/check")).data.ok).toBe(true)
      expect((await post({}, "/check")).data.ok).toBe(true)
    })

    it("say in words what is wrong", async () => {
      const { version: _version, ...form } = complete()
      const wrong: [string, Record<string, unknown>][] = [
        ["refused", { ...form, auth: { type: "bearer", token: "wrong" } }],
        ["unreachable", { ...form, base_url: "http://127.0.0.1:9/api/v1" }],
        ["not_this_api", { ...form, base_url: `${String(store.http.defaults.baseURL)}/app` }],
        ["not_configured", { secret_key: "k" }],
      ]
      for (const [problem, body] of wrong) {
        const { status, data } = await post(body, "/check")
        expect([status, data.ok, data.problem]).toEqual([200, false, problem])
        expect(data.message.length).toBeGreaterThan(20)
      }
      await store.gateway.fail({ endpoint: "balances", kind: "timeout" })
      expect((await post({ ...form, timeout_ms: 500 }, "/check")).data.problem).toBe("timeout")
      await store.gateway.recover()
      await store.gateway.fail({ endpoint: "balances", kind: "redirect" })
      expect((await post(form, "/check")).data.problem).toBe("not_this_api")
    })
  })

  describe("the webhook status", () => {
    it("sees its test arrive through the public address, and leaves the ledger alone", async () => {
      await post(complete())
      const { status, data } = await post({}, "/webhook-check")
      expect([status, data.ok, data.problem, data.http_status]).toEqual([200, true, null, 200])
      expect(data.url).toBe(`${publicAddress.url()}/hooks/payment/crypto_default`)
      expect(await store.knex("crypto_payment_request").select()).toEqual([])
      expect(await store.knex("crypto_payment_activity").select()).toEqual([])
    })

    it("says where it broke", async () => {
      expect((await post({}, "/webhook-check")).data.problem).toBe("not_configured")
      await post(complete())
      for (const [answer, problem] of [
        [302, "redirect"],
        [404, "no_route"],
        [401, "wrong_secret"],
        [200, "not_this_store"],
        [502, "refused"],
      ] as const) {
        publicAddress.behave = answer
        expect([answer, (await post({}, "/webhook-check")).data.problem]).toEqual([answer, problem])
      }
    })

    it("counts a nonce once", async () => {
      const statuses = new ProviderStatusStore(store.knex)
      await statuses.expectSelfTest(PROVIDER, "selftest-1")
      expect(await statuses.takeSelfTest(PROVIDER, "selftest-2")).toBe(false)
      expect(await statuses.takeSelfTest(PROVIDER, "selftest-1")).toBe(true)
      expect(await statuses.takeSelfTest(PROVIDER, "selftest-1")).toBe(false)
    })

    it("knows the last good and refused notification, and a flood of forgeries costs one row update and one line in the log", async () => {
      await post(complete())
      // Longer ago than the minute in which this process would keep quiet about what other tests sent.
      const now = Date.now.bind(Date)
      jest.spyOn(Date, "now").mockImplementation(() => now() + 61_000)
      await store.knex.raw(`CREATE TABLE written (at timestamptz DEFAULT now())`)
      await store.knex.raw(
        `CREATE FUNCTION count_written() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN INSERT INTO written DEFAULT VALUES; RETURN NEW; END $$`
      )
      await store.knex.raw(
        `CREATE TRIGGER count_written AFTER INSERT OR UPDATE ON crypto_payment_provider_status
             FOR EACH ROW EXECUTE FUNCTION count_written()`
      )
      const send = async (secret: string): Promise<number> =>
        (
          await store.http.post(
            "/hooks/payment/crypto_default",
            signedBody(notificationData("not-ours"), secret),
            {
              headers: { "content-type": "application/json" },
            }
          )
        ).status
      const output = new CapturedOutput(store)
      output.start()
      const statuses = await Promise.all(Array.from({ length: 60 }, async () => await send("forged")))
      output.stop()
      expect(output.text.split("a notification was refused")).toHaveLength(2)
      expect(new Set(statuses)).toEqual(new Set([401]))
      // Other instances see the same flood, each with a memory of its own.
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          await new ProviderStatusStore(store.knex).noteRefused(PROVIDER, "wrong_secret")
        })
      )
      const written = await waitUntil(
        async () => await store.knex("written").select(),
        (rows) => rows.length > 0
      )
      expect(written).toHaveLength(1)
      expect(await send(SECRET_KEY)).toBe(200)
      const { data } = await get("/health")
      expect(data.providers).toMatchObject([
        { provider_id: PROVIDER, last_refused_webhook_reason: "wrong_secret" },
      ])
      expect(data.providers[0].last_refused_webhook_at).not.toBeNull()
      await waitUntil(
        async () => (await get("/health")).data.providers[0].last_webhook_at as unknown,
        (at) => at !== null
      )
    })
  })
})
