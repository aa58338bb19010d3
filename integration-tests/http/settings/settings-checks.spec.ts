import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { createServer as createTlsServer } from "node:tls"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { ProviderStatusStore } from "../../../.medusa/server/src/modules/crypto-payments/health/provider-status"
import { CERTIFICATES, KEY } from "../../../src/gateway/certificates-under-test.spec"
import { PROVIDER } from "../../support/admin-api"
import { CapturedOutput } from "../../support/captured-output"
import { notificationData, sign, signedBody } from "../../support/notification"
import { describeSettings } from "../../support/settings-under-test"
import { SECRET_KEY } from "../../support/store-under-test"
import { waitUntil } from "../../support/wait-until"

const JSON_TYPE = { "content-type": "application/json" }

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
      await store.gateway.recover()
      // A firewall, a login in front of the gateway, a page that was taken away.
      for (const [status, problem] of [
        [403, "not_this_api"],
        [401, "refused"],
        [410, "refused"],
      ] as const) {
        await store.gateway.fail({ endpoint: "balances", kind: "html", status })
        expect([status, (await post(form, "/check")).data.problem]).toEqual([status, problem])
        await store.gateway.recover()
      }
    })
  })

  it("name a certificate that is not trusted, and a proxy that wants a login", async () => {
    const { version: _version, ...form } = complete()
    const gateway = createTlsServer({ key: KEY, cert: CERTIFICATES.valid })
    const proxy = createServer()
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n"))
    for (const server of [gateway, proxy]) {
      await once(server.listen(0, "127.0.0.1"), "listening")
    }
    const [tlsPort, proxyPort] = [gateway, proxy].map((server) => (server.address() as AddressInfo).port)
    const check = async (base_url: string): Promise<unknown> =>
      (await post({ ...form, base_url }, "/check")).data.problem
    try {
      expect(await check(`https://localhost:${String(tlsPort)}/v1`)).toBe("certificate_untrusted")
      process.env["HTTPS_PROXY"] = `http://127.0.0.1:${String(proxyPort)}`
      expect(await check("https://behind-proxy.example/v1")).toBe("proxy_login_required")
    } finally {
      delete process.env["HTTPS_PROXY"]
      gateway.close()
      proxy.close()
    }
  })

  it("are refused without the name of a field when it is HTTPS_PROXY that is wrong", async () => {
    process.env["HTTPS_PROXY"] = "ftp://proxy.example"
    try {
      const { status, data } = await post(complete({ base_url: "https://gateway.example/v1" }))
      expect([status, data.code, data.fields]).toEqual([400, "invalid", []])
      expect(data.message).toMatch(/^HTTPS_PROXY must be an address/)
      expect(await stored()).toBeUndefined()
    } finally {
      delete process.env["HTTPS_PROXY"]
    }
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

    const sendText = async (text: string): Promise<number> =>
      (await fetch(store.webhookUrl, { method: "POST", body: text, headers: JSON_TYPE })).status
    const noncesThatArrived = async (): Promise<string[]> =>
      await store
        .knex("crypto_payment_provider_status")
        .whereNotNull("self_test_nonce")
        .pluck("self_test_nonce")

    it("counts a nonce once", async () => {
      await post(complete())
      expect((await post({}, "/webhook-check")).data.ok).toBe(true)
      const [nonce = ""] = await noncesThatArrived()
      publicAddress.behave = 200
      expect(await sendText(signedBody(notificationData(nonce)))).toBe(200)
      expect((await post({}, "/webhook-check")).data.problem).toBe("not_this_store")
    })

    it("counts no nonce that is not signed", async () => {
      await post(complete())
      const data = notificationData(`selftest-${"0".repeat(64)}`)
      expect(await sendText(signedBody(data, "forged"))).toBe(401)
      expect(await noncesThatArrived()).toEqual([])
      expect(await sendText(signedBody(data))).toBe(200)
      expect(await noncesThatArrived()).toEqual([data["payment_request_id"]])
    })

    const forged = (): string => signedBody(notificationData("not-ours"), "forged")
    /** Longer ago than the minute in which this process would keep quiet about what other tests sent. */
    let passedMs = 0
    const passMinute = (): void => {
      const now = Date.now.bind(Date)
      passedMs += 61_000
      jest.spyOn(Date, "now").mockImplementation(() => now() + passedMs)
    }
    const refusedReason = async (): Promise<unknown> =>
      await waitUntil(
        async () => (await get("/health")).data.providers[0].last_refused_webhook_reason as unknown,
        (reason) => reason !== null
      )

    it("says of values that are not text that they are not, and not that the secret is wrong", async () => {
      await post(complete())
      passMinute()
      const data = notificationData("not-ours")
      const output = new CapturedOutput(store)
      output.start()
      const changed = { data: { ...data, payment_amount: 20.01 }, approval_hash: sign(data) }
      expect(await sendText(JSON.stringify(changed))).toBe(401)
      expect(await refusedReason()).toBe("value_not_text")
      output.stop()
      expect(output.text).toContain("a notification was refused (value_not_text)")
    })

    it("says nothing of a gateway that only tries the address, and does not hide a wrong secret by it", async () => {
      await post(complete())
      passMinute()
      const empty = '{"data":{},"approval_hash":""}'
      for (const body of [
        "",
        "{}",
        '{"test":true}',
        "[]",
        "null",
        "ping",
        "test=1",
        '{"data":null}',
        empty,
      ]) {
        expect([body, await sendText(body)]).toEqual([body, 400])
      }
      const signed = { data: { event: "test" }, approval_hash: sign({ event: "test" }) }
      expect(await sendText(JSON.stringify(signed))).toBe(400)
      expect(await sendText(forged())).toBe(401)
      expect(await refusedReason()).toBe("wrong_secret")
    })

    it.each([
      ["without its approval hash", () => JSON.stringify({ data: notificationData("not-ours") })],
      ["without its data", () => JSON.stringify(notificationData("not-ours"))],
      ["that is cut off", () => forged().slice(0, -20)],
    ])("says of a notification %s that it is malformed", async (_, body) => {
      await post(complete())
      passMinute()
      expect(await sendText(body())).toBe(400)
      expect(await refusedReason()).toBe("malformed")
    })

    it("takes the former key until it is told not to, and says when that was last used", async () => {
      const version = async (): Promise<number> => (await get()).data.settings.version
      const lastUsed = async (): Promise<unknown> =>
        (await get("/health")).data.providers[0].former_key_used_at
      const notification = notificationData("not-ours")
      await post(complete())
      await post({ version: await version(), secret_key: "rotated" })
      expect((await get()).data.settings.secrets.secret_key).toMatchObject({ former_accepted: true })
      expect(await sendText(signedBody(notification, "rotated"))).toBe(200)
      expect(await lastUsed()).toBeNull()
      expect(await sendText(signedBody(notification))).toBe(200)
      await waitUntil(lastUsed, (at) => at !== null)
      const { status, data } = await post({ version: await version(), drop_former_key: true })
      expect([status, data.settings.secrets.secret_key]).toEqual([
        200,
        { is_set: true, source: "stored", locked: false },
      ])
      expect(await lastUsed()).toBeNull()
      expect(await sendText(signedBody(notification))).toBe(401)
      expect(await sendText(signedBody(notification, "rotated"))).toBe(200)
      expect((await stored()).secrets["secret_key"]).toHaveLength(1)
    })

    it("knows the last good and refused notification, and a flood of forgeries costs one row update and one line in the log", async () => {
      await post(complete())
      passMinute()
      await store.knex.raw(
        `DROP TABLE IF EXISTS written; CREATE TABLE written (at timestamptz DEFAULT now())`
      )
      await store.knex.raw(
        `CREATE FUNCTION count_written() RETURNS trigger LANGUAGE plpgsql AS
             $$ BEGIN INSERT INTO written DEFAULT VALUES; RETURN NEW; END $$`
      )
      await store.knex.raw(
        `CREATE TRIGGER count_written AFTER INSERT OR UPDATE ON crypto_payment_provider_status
             FOR EACH ROW EXECUTE FUNCTION count_written()`
      )
      const output = new CapturedOutput(store)
      output.start()
      const statuses = await Promise.all(Array.from({ length: 60 }, async () => await sendText(forged())))
      output.stop()
      expect(output.text.split("a notification was refused")).toHaveLength(2)
      expect(new Set(statuses)).toEqual(new Set([401]))
      // Other instances see the same flood, each with a memory of its own.
      await Promise.all(
        Array.from({ length: 5 }, async () => {
          await new ProviderStatusStore(
            store.knex,
            store.container.resolve(ContainerRegistrationKeys.LOGGER)
          ).noteRefused(PROVIDER, "wrong_secret")
        })
      )
      const written = await waitUntil(
        async () => await store.knex("written").select(),
        (rows) => rows.length > 0
      )
      expect(written).toHaveLength(1)
      expect(await sendText(signedBody(notificationData("not-ours"), SECRET_KEY))).toBe(200)
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
