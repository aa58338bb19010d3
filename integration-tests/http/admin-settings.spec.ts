import { createServer, type Server } from "node:http"
import type { AxiosResponse } from "axios"
import { startSandbox } from "../../dist/sandbox"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { ProviderStatusLedger } from "../../.medusa/server/src/modules/crypto-payments/health/provider-status"
import { SettingsRegistry } from "../../.medusa/server/src/modules/crypto-payments/settings/settings-registry"
import { SettingsStore } from "../../.medusa/server/src/modules/crypto-payments/settings/settings-store"
import { CapturedOutput } from "../support/captured-output"
import { notificationData, signedBody } from "../support/notification"
import { readEndState, UNPAID } from "../support/end-state"
import { readSinceNotified, settleDue } from "../support/settle-due"
import { describeStore, SECRET_KEY } from "../support/store-under-test"
import { waitUntil } from "../support/wait-until"

const PROVIDER = "pp_crypto_default"
const TOKEN = "integration-token"
const KEY = Buffer.alloc(32, 1).toString("base64")
const OTHER_KEY = Buffer.alloc(32, 2).toString("base64")
const VARIABLE = "CRYPTO_PAYMENTS_ENCRYPTION_KEY"

/** Stands between the internet and the store; answers itself when told to. */
let proxy: Server
let behave: "pass" | "hang" | number = "pass"
let target = ""

beforeAll(async () => {
  proxy = createServer((request, response) => {
    if (behave === "hang") {
      return
    }
    if (behave !== "pass") {
      response.writeHead(behave, { location: "https://elsewhere.example/" }).end()
      return
    }
    const chunks: Buffer[] = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      void fetch(`${target}${String(request.url)}`, {
        method: "POST",
        body: Buffer.concat(chunks),
        headers: { "content-type": "application/json" },
      }).then((answer) => response.writeHead(answer.status).end())
    })
  })
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve))
})

afterAll(() => {
  proxy.closeAllConnections()
  proxy.close()
})

const environment = {
  CRYPTO_PAYMENTS_BASE_URL: "",
  CRYPTO_PAYMENTS_SECRET_KEY: "",
  CRYPTO_PAYMENTS_TOKEN: "",
  [VARIABLE]: KEY,
  get CRYPTO_PAYMENTS_PUBLIC_URL(): string {
    return `http://127.0.0.1:${String((proxy.address() as { port: number }).port)}`
  },
}

describeStore(
  "settings saved in the admin",
  (store) => {
    let headers: Record<string, string>

    beforeEach(async () => {
      process.env[VARIABLE] = KEY
      behave = "pass"
      jest.restoreAllMocks()
      target = String(store.http.defaults.baseURL)
      ;({ headers } = await store.admin())
      await get() // Forgets what the test before had saved.
    })

    const get = async (path = `/settings/${PROVIDER}`): Promise<AxiosResponse> =>
      await store.http.get(`/admin/crypto-payments${path}`, { headers })
    const post = async (body: unknown, path = ""): Promise<AxiosResponse> =>
      await store.http.post(`/admin/crypto-payments/settings/${PROVIDER}${path}`, body, { headers })
    const complete = (changes: Record<string, unknown> = {}): Record<string, unknown> => ({
      version: 0,
      base_url: store.gatewayBaseUrl,
      secret_key: SECRET_KEY,
      auth: { type: "bearer", token: TOKEN },
      ...changes,
    })
    const stored = async (): Promise<{
      version: number
      plain: Record<string, unknown>
      secrets: Record<string, string[]>
    }> => await store.knex("crypto_payment_settings").where({ provider_id: PROVIDER }).first()

    it("make a provider that had nothing take payments at once, and show no secret anywhere", async () => {
      expect((await get()).data.settings).toMatchObject({
        version: 0,
        configured: false,
        missing: ["base_url", "secret_key"],
        fields: { success_url: { source: "config", locked: true }, public_url: { locked: true } },
      })
      const shopper = store.shopper()
      const refused = await shopper.openSession(await shopper.collection(await shopper.cart()))
      expect([refused.status, refused.data.message]).toEqual([
        400,
        expect.stringContaining("baseUrl, secretKey"),
      ])

      const saved = await post(complete())
      expect([saved.status, saved.data.settings?.configured]).toEqual([200, true])
      expect(saved.data.settings).toMatchObject({
        version: 1,
        missing: [],
        problem: null,
        secrets: {
          secret_key: { is_set: true, source: "stored", locked: false, count: 1 },
          "auth.token": { is_set: true, source: "stored" },
        },
      })
      const { session } = await store.shopper().checkout()
      expect(await store.gateway.notify(session.data.payment_request_id)).toEqual([200])
      await readSinceNotified(store, session.data.payment_request_id)

      const everything = JSON.stringify([
        saved.data,
        (await get()).data,
        (await get("/settings")).data,
        await stored(),
      ])
      expect(everything).not.toContain(SECRET_KEY)
      expect(everything).not.toContain(TOKEN)
    })

    it("refuse a body that is none of theirs, and say nothing of the values", async () => {
      for (const body of [
        complete({ version: "1" }),
        complete({ base_url: "http://gateway.example/api/v1" }),
        complete({ base_url: "https://user:pass@gateway.example/" }),
        complete({ base_url: "https://169.254.169.254@evil.example" }),
        complete({ base_url: "file:///etc/passwd" }),
        complete({ secret_key: "hidden\nvalue" }),
        complete({ auth: { type: "magic" } }),
        complete({ auth: { type: "headers", headers: { "bad name": "hidden" } } }),
        complete({ auth: { type: "headers", headers: { Host: "hidden" } } }),
        complete({ public_url: "https://evil.example" }),
        complete({ timeout_ms: 1 }),
      ]) {
        const { status, data } = await post(body)
        expect([body, status]).toEqual([body, 400])
        expect(JSON.stringify(data)).not.toMatch(/hidden|user:pass/)
      }
      expect(await stored()).toBeUndefined()
    })

    it("are a 404 for a provider nobody registered", async () => {
      expect((await get("/settings/pp_crypto_nobody")).status).toBe(404)
      const { status } = await store.http.post(
        "/admin/crypto-payments/settings/pp_crypto_nobody",
        complete(),
        { headers }
      )
      expect(status).toBe(404)
    })

    it("write no secret into the log, whatever goes wrong", async () => {
      const output = new CapturedOutput(store)
      output.start()
      await post(complete())
      await post(complete({ version: 0 }))
      await post(complete({ version: 1, secret_key: `${SECRET_KEY}\n` }))
      await post(complete({ version: 1, auth: { type: "bearer", token: TOKEN, more: 1 } }))
      await post(
        { base_url: store.gatewayBaseUrl, auth: { type: "bearer", token: `wrong-${TOKEN}` } },
        "/check"
      )
      await store.gateway.fail({ endpoint: "any", kind: "status", status: 401 })
      await get("/balances")
      await post({}, "/webhook-check")
      process.env[VARIABLE] = OTHER_KEY
      await get()
      await post(complete({ version: 1 }))
      output.stop()
      expect(output.text).toContain("/admin/crypto-payments")
      for (const hidden of [SECRET_KEY, TOKEN, KEY, OTHER_KEY]) {
        expect(output.text).not.toContain(hidden)
      }
    })

    it("are not saved over what somebody saved in between", async () => {
      await post(complete())
      const [first, second] = await Promise.all([
        post({ version: 1, timeout_ms: 2000 }),
        post({ version: 1, timeout_ms: 3000 }),
      ])
      const answers = [first, second].sort((one, two) => one.status - two.status)
      expect(answers.map(({ status }) => status)).toEqual([200, 409])
      expect(answers[1]?.data).toMatchObject({ code: "stale_version", version: 2 })
      expect((await stored()).version).toBe(2)
    })

    it("keep a blank secret, delete one that is null, and lock what medusa-config gives", async () => {
      await post(complete())
      const before = (await stored()).secrets
      const kept = await post({
        version: 1,
        secret_key: "",
        auth: { type: "bearer", token: "" },
        timeout_ms: 2000,
      })
      expect(kept.data.settings).toMatchObject({ configured: true, fields: { timeout_ms: { value: 2000 } } })
      expect(Object.keys((await stored()).secrets)).toEqual(Object.keys(before))
      const removed = await post({ version: 2, secret_key: null })
      expect(removed.data.settings).toMatchObject({ configured: false, missing: ["secret_key"] })
      const locked = await post({ version: 3, success_url: "https://evil.example" })
      expect([locked.status, locked.data.code, locked.data.fields]).toEqual([400, "locked", ["success_url"]])
    })

    it("reach another instance within seconds", async () => {
      const config = store.container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
      const other = new SettingsRegistry(config, new SettingsStore(store.knex))
      expect(await other.resolve(PROVIDER)).toMatchObject({ configured: false })
      await post(complete())
      const startedAt = Date.now()
      await waitUntil(
        async () => await other.resolve(PROVIDER),
        (resolution) => resolution?.configured === true
      )
      expect(Date.now() - startedAt).toBeLessThan(4000)
    })

    describe("without the right encryption key", () => {
      it.each([
        ["missing", ""],
        ["malformed", "not a key"],
      ])("refuse secrets and name the variable when it is %s; the rest can be saved", async (state, key) => {
        process.env[VARIABLE] = key
        const refused = await post(complete())
        expect([refused.status, refused.data.code, refused.data.state]).toEqual([
          400,
          "encryption_key",
          state,
        ])
        expect(refused.data.message).toContain(VARIABLE)
        expect(await stored()).toBeUndefined()
        expect((await post({ version: 0, timeout_ms: 2000 })).status).toBe(200)
      })

      it("are not configured and not overwritten when it is wrong, and work again when it is right", async () => {
        await post(complete())
        const before = (await stored()).secrets
        process.env[VARIABLE] = OTHER_KEY
        const wrong = await get()
        expect(wrong.data.encryption_key).toMatchObject({
          state: "wrong",
          message: expect.stringContaining(VARIABLE),
        })
        expect(wrong.data.settings).toMatchObject({
          configured: false,
          secrets: { secret_key: { is_set: true, unreadable: true } },
        })
        const refused = await post({ version: 1, secret_key: "another" })
        expect([refused.status, refused.data.code, refused.data.state]).toEqual([
          400,
          "encryption_key",
          "wrong",
        ])
        expect((await post({ version: 1, timeout_ms: 2000 })).status).toBe(200)
        expect((await stored()).secrets).toEqual(before)
        expect((await store.http.post("/hooks/payment/crypto_default", {})).status).toBe(503)
        expect((await store.shopper().get("/regions")).status).toBe(200)
        process.env[VARIABLE] = KEY
        expect((await get()).data.settings.configured).toBe(true)
      })

      it("can be given anew when the key is lost", async () => {
        await post(complete())
        process.env[VARIABLE] = OTHER_KEY
        const saved = await post(complete({ version: 1, discard_unreadable_secrets: true }))
        expect([saved.status, saved.data.settings?.configured]).toEqual([200, true])
      })

      it("rotate: both keys open, the next save seals with the new one, then the old one can go", async () => {
        await post(complete())
        process.env[VARIABLE] = `${OTHER_KEY},${KEY}`
        expect((await get()).data.settings.configured).toBe(true)
        expect((await post({ version: 1 })).status).toBe(200)
        process.env[VARIABLE] = OTHER_KEY
        expect((await get()).data).toMatchObject({
          settings: { configured: true },
          encryption_key: { state: "present" },
        })
      })
    })

    describe("for another origin", () => {
      it("ask for every secret, then for a confirmation, and former rows live on at their own", async () => {
        const other = await startSandbox({
          port: 0,
          secretKey: "other-secret",
          auth: { bearerToken: "other-token" },
        })
        try {
          await post(complete())
          const { session, cartId } = await store.shopper().checkout()
          const id = session.data.payment_request_id
          const asked = await post({ version: 1, base_url: other.baseUrl })
          expect(asked.data).toMatchObject({ code: "secrets_required", fields: ["auth.token", "secret_key"] })
          expect((await post({ base_url: other.baseUrl }, "/check")).data.code).toBe("secrets_required")

          const change = complete({
            version: 1,
            base_url: other.baseUrl,
            secret_key: "other-secret",
            auth: { type: "bearer", token: "other-token" },
          })
          const unconfirmed = await post(change)
          expect([unconfirmed.status, unconfirmed.data]).toEqual([
            409,
            expect.objectContaining({
              code: "origin_change_unconfirmed",
              open_requests: 1,
              former_origin: new URL(store.gatewayBaseUrl).origin,
            }),
          ])
          const saved = await post({ ...change, confirm_origin_change: true })
          expect([saved.status, saved.data.rows_left_at_former_origin]).toEqual([200, 1])
          expect(saved.data.settings.former_origins).toEqual([
            { origin: new URL(store.gatewayBaseUrl).origin, open_requests: 1 },
          ])

          // The former row is read, verified and settled where it was created.
          await store.gateway.pay(id)
          expect(await store.gateway.notify(id)).toEqual([200])
          const order = await waitUntil(
            async () => await store.knex("crypto_payment_request").where({ cart_id: cartId }).first(),
            ({ settled_at }) => settled_at !== null
          )
          expect(order.order_id).not.toBeNull()
          // New ones are made at the new origin, and nothing of the old goes there.
          const next = await store.shopper().checkout({ email: "next@example.test" })
          const row = await store
            .knex("crypto_payment_request")
            .where({ session_id: next.session.id })
            .first()
          expect(row.gateway_origin).toBe(new URL(other.baseUrl).origin)
        } finally {
          await other.close()
        }
      })

      it("are not read and not believed at a former address that the merchant gives up", async () => {
        const other = await startSandbox({ port: 0, secretKey: "other-secret", auth: { bearerToken: "t" } })
        try {
          await post(complete())
          const { session, cartId } = await store.shopper().checkout()
          const id = session.data.payment_request_id
          const { origin } = new URL(store.gatewayBaseUrl)
          const changed = await post(
            complete({
              version: 1,
              base_url: other.baseUrl,
              secret_key: "other-secret",
              auth: { type: "bearer", token: "t" },
              confirm_origin_change: true,
            })
          )
          expect(changed.data.settings.former_origins).toEqual([{ origin, open_requests: 1 }])
          expect((await post({ origin: "https://none.example" }, "/forget-origin")).status).toBe(404)
          expect((await post({}, "/forget-origin")).status).toBe(400)

          const forgotten = await post({ origin }, "/forget-origin")
          expect([forgotten.status, forgotten.data.rows_left_at_former_origin]).toEqual([200, 1])
          expect(forgotten.data.settings).toMatchObject({ configured: true, former_origins: [] })
          expect(await store.knex("crypto_payment_connection").select()).toEqual([])
          expect((await post({ origin }, "/forget-origin")).status).toBe(404)

          await store.gateway.pay(id)
          const before = await store.gateway.calls()
          expect(await store.gateway.notify(id)).toEqual([401])
          const due = { next_check_at: new Date(0) }
          await store.knex("crypto_payment_request").update(due)
          await settleDue(store)
          expect(await store.gateway.calls()).toEqual(before)
          expect(await readEndState(store.knex, cartId)).toEqual(UNPAID)
          // What stays behind is not silent: after an hour it is a case.
          await store
            .knex("crypto_payment_request")
            .update({ ...due, failing_since: new Date(Date.now() - 2 * 3_600_000) })
          await settleDue(store)
          const row = await store.knex("crypto_payment_request").where({ cart_id: cartId }).first()
          expect([row.paid_at, row.failure, row.attention_reason]).toEqual([
            null,
            "refused",
            "gateway_refuses",
          ])
        } finally {
          await other.close()
        }
      })

      it("forget the former connection once no watched row needs it", async () => {
        await post(complete())
        await post(
          complete({
            version: 1,
            base_url: "https://other.example/api/v1",
            auth: { type: "bearer", token: "t" },
          })
        )
        expect(await store.knex("crypto_payment_connection").select()).toHaveLength(1)
        await store
          .knex("crypto_payment_connection")
          .update({ updated_at: new Date(Date.now() - 2 * 3_600_000) })
        expect((await post({ version: 2, timeout_ms: 2000 })).status).toBe(200)
        expect(await store.knex("crypto_payment_connection").select()).toEqual([])
      })
    })

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
          ["not_this_api", { ...form, base_url: `${target}/app` }],
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

    describe("the webhook doctor", () => {
      it("sees its test arrive through the public address, and leaves the ledger alone", async () => {
        await post(complete())
        const { status, data } = await post({}, "/webhook-check")
        expect([status, data.ok, data.problem, data.http_status]).toEqual([200, true, null, 200])
        expect(data.url).toBe(`${environment.CRYPTO_PAYMENTS_PUBLIC_URL}/hooks/payment/crypto_default`)
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
          behave = answer
          expect([answer, (await post({}, "/webhook-check")).data.problem]).toEqual([answer, problem])
        }
      })

      it("counts a nonce once", async () => {
        const statuses = new ProviderStatusLedger(store.knex)
        await statuses.expectSelfTest(PROVIDER, "selftest-1")
        expect(await statuses.takeSelfTest(PROVIDER, "selftest-2")).toBe(false)
        expect(await statuses.takeSelfTest(PROVIDER, "selftest-1")).toBe(true)
        expect(await statuses.takeSelfTest(PROVIDER, "selftest-1")).toBe(false)
      })

      it("knows the last good and refused notification, and a flood of forgeries costs one row update", async () => {
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
        const statuses = await Promise.all(Array.from({ length: 60 }, async () => await send("forged")))
        expect(new Set(statuses)).toEqual(new Set([401]))
        // Other instances see the same flood, each with a memory of its own.
        await Promise.all(
          Array.from({ length: 5 }, async () => {
            await new ProviderStatusLedger(store.knex).noteRefused(PROVIDER, "wrong_secret")
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

    it("health tells what the set-up checklist needs", async () => {
      await post(complete())
      await store.shopper().checkout()
      const { status, data } = await get("/health")
      expect(status).toBe(200)
      expect(data).toMatchObject({
        providers: [
          {
            provider_id: PROVIDER,
            configured: true,
            webhook_path: "/hooks/payment/crypto_default",
            success_url: "ok",
            failed_url: "ok",
            open: 1,
            overdue: 0,
            attention: 0,
          },
        ],
        encryption_key: { state: "present", message: null },
        encryption_key_needed: true,
        locking: { provider: "in-memory", in_memory: true, worker_mode: "shared", fits: true },
        attention: { open: 0, by_reason: {} },
      })
      const usd = data.regions.find(({ currency_code }: { currency_code: string }) => currency_code === "usd")
      expect(usd).toMatchObject({ currency_taken: true, provider_ids: [PROVIDER] })
    })
  },
  environment
)
