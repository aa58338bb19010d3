import type { Page } from "playwright-core"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import type { Health } from "../../src/http-contract"
import { accessibilityFaults, Admin } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { Settings } from "./support/settings"
import { setting } from "./support/store"
import { withStoreProcess } from "./support/store-process"

const PAGE = "/settings/crypto-payments"

/** A line of the checklist, once it is in this state. */
const line = (page: Page, name: string, state: string) =>
  page.locator(`[data-line='${name}'][data-state='${state}']`)

describeAdmin("the set-up checklist", ({ admin, payments, store }) => {
  it("is green to the end for a store that is set up", async () => {
    await payments.paid()
    const page = await admin.visit(PAGE)
    await page.getByText("9 of 9").waitFor()
    await page.getByText("Everything is set up: shoppers can pay with crypto.").waitFor()
    expect(await page.locator("[data-line]:visible").count()).toBe(0)
    await page.getByText("Show the steps").click()
    const names = ["encryption", "connection", "secret", "urls", "regions", "checkout", "webhook", "locking"]
    for (const name of names) {
      await line(page, name, "done").waitFor()
    }
    await line(page, "address", "done").getByText(setting.storeUrl, { exact: true }).waitFor()
    await page.getByText("Show the steps").click()
    await line(page, "connection", "done").waitFor({ state: "hidden" })
  })

  it("leads from nothing to a checkout that works", async () => {
    const settings = new Settings(store)
    const { baseUrl, secretKey, token } = setting.gateway
    const heard = async (last_webhook_at: Date | null) => {
      // Another specification may have sent one that was refused.
      const last_refused_webhook_at = null
      await store.knex("crypto_payment_provider_status").update({ last_webhook_at, last_refused_webhook_at })
    }
    await heard(null)
    await settings.forget()
    try {
      const page = await admin.visit(PAGE)
      await line(page, "connection", "todo").getByText(en.settings.checklist.connectionTodo).waitFor()
      await line(page, "secret", "todo").getByText(en.settings.checklist.secretTodo).waitFor()
      await line(page, "webhook", "todo").getByText(en.settings.checklist.webhookTodo).waitFor()
      await line(page, "checkout", "todo").getByText(en.settings.checklist.checkoutNone).waitFor()
      await line(page, "webhook", "todo").getByRole("button", { name: "Copy webhook address" }).click()
      expect(await page.evaluate("navigator.clipboard.readText()")).toContain("/hooks/payment/crypto_default")
      for (const words of ["Finish the", "is not set up yet", "No checkout yet"]) {
        expect([words, await page.getByText(words).count()]).toEqual([words, 0])
      }
      const regions = line(page, "regions", "todo")
      await regions.getByText(/^Not offered in .+ until the connection is set up\.$/).waitFor()
      await page.getByText("4 of 9").waitFor()

      await line(page, "secret", "todo").getByRole("button", { name: "Edit connection" }).click()
      const form = page.getByRole("dialog")
      await form.getByLabel("Gateway address").fill(baseUrl)
      await form.getByLabel("Secret key").fill(secretKey)
      await form.getByLabel("Authentication").click()
      await page.getByRole("option", { name: "Token (bearer)" }).click()
      await form.getByLabel("Token", { exact: true }).fill(token)
      await form.getByRole("button", { name: "Save" }).click()
      await page.getByText("8 of 9").waitFor()
      await line(page, "webhook", "todo").waitFor()

      await payments.paid()
      // It notes at most one notification a minute, and others came before this one.
      await heard(new Date())
      await page.reload()
      await page.getByText("9 of 9").waitFor()
    } finally {
      await heard(new Date())
      await settings.restore()
    }
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)("is where the list leads to: %s", async (language, words) => {
    const page = await admin.visit("/orders", { language })
    await page.route("**/admin/crypto-payments?**", async (route) => {
      await route.fulfill({
        json: { crypto_payments: [], count: 0, limit: 20, offset: 0, totals: [], coins: [] },
      })
    })
    await page.goto(page.url().replace("/orders", "/crypto-payments"))
    await page.getByText(words.list.empty).waitFor()
    await page.getByRole("link", { name: words.list.settings }).click()
    await page.getByText(words.settings.checklist.title).waitFor()
    await page.unroute("**/admin/crypto-payments?**")
  })

  it("says the next step while the gateway does not answer", async () => {
    await store.gateway.fail({ endpoint: "balances", kind: "reset" })
    const page = await admin.visit(PAGE)
    await line(page, "connection", "broken").getByText("The gateway could not be reached").waitFor()
    await page.getByRole("img", { name: "Not working" }).waitFor()
  })

  /** The page with an answer of the API changed. */
  const visitWith = async (path: string, change: (answer: never) => void, language: "en" | "ar" = "en") => {
    const page = await admin.visit("/orders", { language })
    await page.route(`**/admin/crypto-payments/${path}`, async (route) => {
      const json = (await (await route.fetch()).json()) as never
      change(json)
      await route.fulfill({ json })
    })
    return page
  }

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)("does not call checkouts fine before there was one: %s", async (language, words) => {
    const page = await visitWith(
      "health",
      (health: Health) => {
        health.providers.forEach((provider) => {
          provider.has_payments = false
          provider.last_checkout_failed_at = null
        })
      },
      language
    )
    await page.goto(page.url().replace("/orders", PAGE))
    await line(page, "checkout", "todo").getByText(words.settings.checklist.checkoutNone).waitFor()
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "asks to look while the last notification was refused as a mistake of the set-up would be: %s",
    async (language, words) => {
      // The page compares the times with each other, so all are of one instant.
      const now = Date.now()
      const secondsAgo = (seconds: number) => new Date(now - seconds * 1000).toISOString()
      const refused = {
        last_webhook_at: secondsAgo(3600) as string | null,
        last_refused_webhook_at: secondsAgo(10),
        last_refused_webhook_reason: "wrong_secret" as "wrong_secret" | "malformed",
      }
      let noted = refused
      const page = await visitWith(
        "health",
        (health: Health) => health.providers.forEach((provider) => Object.assign(provider, noted)),
        language
      )
      await page.goto(page.url().replace("/orders", PAGE))
      const asks = line(page, "webhook", "warning")
      await asks.getByText(words.settings.webhook.reason.wrong_secret).waitFor()
      await asks.getByRole("button", { name: words.settings.connection.editTitle }).waitFor()
      expect(await page.getByText(words.settings.checklist.finished).count()).toBe(0)
      noted = { ...refused, last_webhook_at: null }
      await page.reload()
      await asks.waitFor()
      // What anybody can send, a good one since, and one that was not noted because it came within a minute.
      for (const change of [
        { last_refused_webhook_reason: "malformed" as const },
        { last_webhook_at: secondsAgo(5) },
        { last_webhook_at: secondsAgo(50) },
      ]) {
        noted = { ...refused, ...change }
        await page.reload()
        await line(page, "webhook", "done").waitFor({ state: "attached" })
      }
    }
  )

  it("leads to the regions that could offer it, and names those that cannot", async () => {
    const { data: could } = await store.asAdmin.post("/regions", {
      name: "Oman",
      currency_code: "usd",
      countries: ["om"],
    })
    const { data: cannot } = await store.asAdmin.post("/regions", {
      name: "Canada",
      currency_code: "cad",
      countries: ["ca"],
    })
    try {
      const page = await admin.visit(PAGE)
      await page.getByText("Show the steps").click()
      const regions = line(page, "regions", "done")
      await regions.getByText("Not possible in Canada").waitFor()
      await regions.getByRole("link", { name: "Oman" }).click()
      await page.waitForURL((url) => url.pathname.endsWith(`/settings/regions/${could.region.id}/edit`))
    } finally {
      await store.asAdmin.delete(`/regions/${could.region.id}`)
      await store.asAdmin.delete(`/regions/${cannot.region.id}`)
    }
  })

  it("leads a store without a region in AED or USD to a new one", async () => {
    const page = await admin.visit("/orders")
    await page.route("**/admin/crypto-payments/health", async (route) => {
      const health = (await (await route.fetch()).json()) as Health
      const regions = health.regions
        .slice(0, 1)
        .map((region) => ({ ...region, name: "Europe", currency_taken: false }))
      await route.fulfill({ json: { ...health, regions } })
    })
    await page.goto(page.url().replace("/orders", PAGE))
    const regions = line(page, "regions", "todo")
    await regions.getByText("Not possible in Europe").waitFor()
    await regions.getByRole("link", { name: "Create a region" }).click()
    await page.waitForURL(/settings\/regions\/create$/)
  })
})

describeAdmin("the webhook status", ({ admin, payments, store }) => {
  it("copies the exact webhook address", async () => {
    const page = await admin.visit(PAGE)
    await page.getByRole("button", { name: "Copy webhook address" }).click()
    const copied = await page.evaluate("navigator.clipboard.readText()")
    expect(copied).toBe(`${setting.storeUrl}/hooks/payment/crypto_default`)
  })

  it("sends a self-test that arrives and is verified, and leaves the ledger alone", async () => {
    // Other tests' payments may still be settled; only a notification adds lines of this kind.
    const count = async () => await store.knex("crypto_payment_activity").where({ type: "notified" }).count()
    const page = await admin.visit(PAGE)
    const before = await count()
    await page.getByRole("button", { name: "Send self-test" }).click()
    await page.getByText("The self-test arrived and was verified").waitFor()
    expect(await count()).toEqual(before)
  })

  it("says why the last refused notification was refused", async () => {
    const payment = await payments.open()
    await store.knex("crypto_payment_provider_status").update({ last_refused_webhook_at: null })
    expect(await store.gateway.notify(payment.paymentRequestId, { secretKey: "not-ours" })).toEqual([401])
    await (await admin.visit(PAGE)).getByText("signed with another secret key").waitFor()
    const inArabic = await admin.visit(PAGE, { language: "ar" })
    await inArabic.getByText(ar.settings.webhook.reason.wrong_secret).waitFor()
  })

  it("says it when the address leads elsewhere", async () => {
    const page = await admin.visit(PAGE)
    await page.route("**/webhook-check", async (route) => {
      await route.fulfill({
        json: {
          ok: false,
          problem: "no_route",
          message: "",
          url: null,
          path: "",
          http_status: 404,
          duration_ms: 3,
        },
      })
    })
    await page.getByRole("button", { name: "Send self-test" }).click()
    await page.getByText("Something else answers at this address").waitFor()
  })
})

describeAdmin("a store without its encryption key", ({ store }) => {
  const settings = new Settings(store)

  it.each([
    ["is missing", undefined, "CRYPTO_PAYMENTS_ENCRYPTION_KEY is missing", ar.settings.encryption.missing],
    [
      "is another one",
      Buffer.alloc(32, 7).toString("base64"),
      "is not the key that encrypted the saved secrets",
      ar.settings.encryption.wrong,
    ],
  ])("says plainly that the key %s", async (_case, key, words, arabicWords) => {
    const before = await settings.stored()
    const change = {
      CRYPTO_PAYMENTS_ENCRYPTION_KEY: key,
      // And what else a set-up can lack: a second process without shared locks, a shop without https.
      WORKER_MODE: "server",
      STOREFRONT_URL: "http://shop.example",
    }
    await withStoreProcess(change, async (url) => {
      const admin = new Admin(url)
      try {
        await admin.open()
        const page = await admin.visit(PAGE)
        await line(page, "encryption", "broken").getByText(words).waitFor()
        await line(page, "secret", "broken").getByText("The saved secrets cannot be decrypted").waitFor()
        await line(page, "connection", "todo").getByText(en.settings.checklist.connectionTodo).waitFor()
        const urls = line(page, "urls", "broken")
        await urls.getByText("after payment must begin with https").waitFor()
        await urls.getByRole("button", { name: "Edit checkout" }).waitFor()
        await line(page, "locking", "warning").getByText("Put @medusajs/medusa/locking-redis").waitFor()
        await page.getByRole("button", { name: "Edit connection" }).last().click()
        await page.getByRole("dialog").getByText(words).waitFor()
        expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
        if (key === undefined) {
          await page.getByLabel("Secret key").fill("a-new-secret-key")
          await page.getByRole("dialog").getByRole("button", { name: "Save" }).click()
          const refused = page.getByRole("dialog").locator("form > [role='alert']")
          await refused.getByText(`${en.settings.encryption.missing} openssl rand -base64 32`).waitFor()
        }
        const inArabic = await admin.visit(PAGE, { language: "ar" })
        await line(inArabic, "encryption", "broken").getByText(arabicWords).waitFor()
      } finally {
        await admin.close()
      }
    })
    expect(await settings.stored()).toBe(before)
  })
})

describeAdmin("a store whose secrets come from medusa-config", ({ payments, store }) => {
  const settings = new Settings(store)
  afterEach(async () => await settings.restore())

  it("asks for its encryption key only where a secret can be typed, and offers to show none that cannot", async () => {
    await settings.forget()
    const change = {
      CRYPTO_PAYMENTS_ENCRYPTION_KEY: undefined,
      CRYPTO_PAYMENTS_PUBLIC_URL: undefined,
      CRYPTO_PAYMENTS_BASE_URL: setting.gateway.baseUrl,
      CRYPTO_PAYMENTS_SECRET_KEY: setting.gateway.secretKey,
    }
    await withStoreProcess(change, async (url) => {
      const admin = new Admin(url)
      try {
        await admin.open()
        const page = await admin.visit(PAGE)
        await line(page, "encryption", "done").getByText("Not needed").waitFor()
        // It can only be sent to an address that is known. Until then the one of this page is suggested.
        await page.getByText("Set publicUrl in medusa-config to test it.").waitFor()
        await page.getByText(`${url}/hooks/payment/crypto_default`).waitFor()
        await line(page, "address", "todo").getByText(en.problems.public_url_missing).waitFor()
        const order = await admin.visit(`/orders/${await payments.madeByMerchant()}`)
        await order.getByRole("button", { name: "Copy pay page" }).click()
        await order.getByText(en.problems.public_url_missing).waitFor()
        expect(await page.getByRole("button", { name: "Send self-test" }).count()).toBe(0)

        await page.getByRole("button", { name: "Edit connection" }).last().click()
        const form = page.getByRole("dialog")
        expect(await form.getByLabel("Secret key").isDisabled()).toBe(true)
        expect(await form.getByRole("button", { name: "Show password" }).count()).toBe(0)
        expect(await form.getByText("CRYPTO_PAYMENTS_ENCRYPTION_KEY").count()).toBe(0)
        await form.getByLabel("Authentication").click()
        await page.getByRole("option", { name: "Token (bearer)" }).click()
        await form.getByText("CRYPTO_PAYMENTS_ENCRYPTION_KEY is missing").waitFor()
        await form.getByRole("button", { name: "Show password" }).waitFor()
      } finally {
        await admin.close()
      }
    })
  })
})
