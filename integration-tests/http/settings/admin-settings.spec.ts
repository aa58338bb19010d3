import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { SettingsRegistry } from "../../../.medusa/server/src/modules/crypto-payments/settings/settings-registry"
import { SettingsStore } from "../../../.medusa/server/src/modules/crypto-payments/settings/settings-store"
import { PROVIDER } from "../../support/admin-api"
import { CapturedOutput } from "../../support/captured-output"
import { readSinceNotified } from "../../support/settle-due"
import { describeSettings, ENCRYPTION_KEY, KEY, OTHER_KEY, TOKEN } from "../../support/settings-under-test"
import { SECRET_KEY } from "../../support/store-under-test"

describeSettings("settings saved in the admin", ({ store, get, post, complete, stored }) => {
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
      "Crypto payments are not available in this shop at the moment. Choose another payment method.",
    ])

    const saved = await post(complete())
    expect([saved.status, saved.data.settings?.configured]).toEqual([200, true])
    expect(saved.data.settings).toMatchObject({
      version: 1,
      missing: [],
      problem: null,
      secrets: {
        secret_key: { is_set: true, source: "stored", locked: false },
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

  it("take a secret without the blanks that were copied with it", async () => {
    const { data } = await post(
      complete({ secret_key: ` ${SECRET_KEY}\u00a0`, auth: { type: "bearer", token: `${TOKEN}\n` } })
    )
    expect(data.settings).toMatchObject({ configured: true })
    const { session } = await store.shopper().checkout()
    expect(await store.gateway.notify(session.data.payment_request_id)).toEqual([200])
    await readSinceNotified(store, session.data.payment_request_id)
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
    const { status } = await post(complete(), "", "pp_crypto_nobody")
    expect(status).toBe(404)
  })

  it("write no secret into the log, whatever goes wrong", async () => {
    const output = new CapturedOutput(store)
    output.start()
    await post(complete())
    await post(complete({ version: 0 }))
    await post(complete({ version: 1, secret_key: `${SECRET_KEY}\n${TOKEN}` }))
    await post(complete({ version: 1, auth: { type: "bearer", token: TOKEN, more: 1 } }))
    await post(
      { base_url: store.gatewayBaseUrl, auth: { type: "bearer", token: `wrong-${TOKEN}` } },
      "/check"
    )
    await store.gateway.fail({ endpoint: "any", kind: "status", status: 401 })
    await get("/balances")
    await post({}, "/webhook-check")
    process.env[ENCRYPTION_KEY] = OTHER_KEY
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

  it("reach another instance within two seconds", async () => {
    const config = store.container.resolve(ContainerRegistrationKeys.CONFIG_MODULE)
    const other = new SettingsRegistry(config, new SettingsStore(store.knex))
    const begun = Date.now()
    const resolveAt = async (atMs: number): Promise<unknown> => {
      const clock = jest.spyOn(Date, "now").mockReturnValue(atMs)
      try {
        const found = await other.find(PROVIDER)
        return found?.isConfigured === true ? found : undefined
      } finally {
        clock.mockRestore()
      }
    }
    expect(await resolveAt(begun)).toBeUndefined()
    await post(complete())
    expect(await resolveAt(begun + 2000)).toBeDefined()
  })

  it("health tells what the set-up checklist needs", async () => {
    await post(complete())
    expect((await get("/health")).data.providers).toMatchObject([{ open: 0, has_payments: false }])
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
          has_payments: true,
        },
      ],
      encryption_key: { state: "present", message: null },
      encryption_key_needed: true,
      locking: { provider: "in-memory", fits: true, message: null },
      attention: { open: 0, by_reason: {} },
    })
    const usd = data.regions.find(({ currency_code }: { currency_code: string }) => currency_code === "usd")
    expect(usd).toMatchObject({ currency_taken: true, provider_ids: [PROVIDER] })
  })
})
