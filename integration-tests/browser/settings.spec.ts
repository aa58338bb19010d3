import { startSandbox } from "../../dist/sandbox"
import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import type { Health } from "../../src/http-contract"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults, hasFocus } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { openForm, openFormOn, saveForm, Settings, SETTINGS_PAGE } from "./support/settings"
import { setting } from "./support/store"

describeAdmin("the settings", ({ admin, payments, store }) => {
  const settings = new Settings(store)
  afterEach(async () => await settings.restore())

  it("saves what is changed, and shows it after a reload", async () => {
    const { page, form } = await openForm(admin, "connection")
    await form.getByLabel("Timeout").fill("9500")
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
    await page.reload()
    await page.getByText("9500").waitFor()
    expect(await settings.read()).toMatchObject({ fields: { timeout_ms: { value: 9500, source: "stored" } } })
  })

  it("says next to the field what is accepted, and nothing else, and saves nothing", async () => {
    const before = await settings.stored()
    const { page, form } = await openForm(admin, "connection")
    const timeout = form.getByLabel("Timeout")
    for (const wrong of ["10", "1h"]) {
      await timeout.fill(wrong)
      // The page itself asks to check the connection.
      const answered = page.waitForResponse((response) => /\/settings\/pp_\w+$/.test(response.url()))
      await saveForm(page)
      expect((await answered).status()).toBe(400)
      await form.getByText("Check these fields: Timeout").waitFor()
      expect(await timeout.getAttribute("aria-invalid")).toBe("true")
      const described = form.locator(`[id='${String(await timeout.getAttribute("aria-describedby"))}']`)
      expect(await described.innerText()).toBe("Enter 500–25,000 ms")
    }
    expect(await settings.stored()).toBe(before)
  })

  it("says what was wrong of the value that was saved, and nothing of the next one", async () => {
    const { page, form } = await openForm(admin, "connection")
    const [address, timeout] = [form.getByLabel("Gateway address"), form.getByLabel("Timeout")]
    await address.fill("gateway.example")
    await timeout.fill("10")
    await saveForm(page)
    const problem = form.locator("form > [role='alert']")
    await problem.getByText("Check these fields: Gateway address, Timeout").waitFor()
    await address.fill(setting.gateway.baseUrl)
    expect(await address.getAttribute("aria-invalid")).toBe("false")
    expect(await timeout.getAttribute("aria-invalid")).toBe("true")
    expect(await hasFocus(address)).toBe(true)
    await timeout.fill("9500")
    expect(await timeout.getAttribute("aria-invalid")).toBe("false")
    expect(await problem.count()).toBe(0)
  })

  it("calls a secret wrong no more once the address is the former one again @deep", async () => {
    const { page, form } = await openForm(admin, "connection")
    const [address, secret] = [form.getByLabel("Gateway address"), form.getByLabel("Secret key")]
    await address.fill("https://elsewhere.example/v1")
    await saveForm(page)
    await form.locator("form > [role='alert']").getByText("This is another address").waitFor()
    expect(await secret.getAttribute("aria-invalid")).toBe("true")
    await address.fill(setting.gateway.baseUrl)
    expect(await secret.getAttribute("aria-invalid")).toBe("false")
  })

  it("calls no empty amount wrong", async () => {
    const { page, form } = await openForm(admin, "checkout")
    await form.getByLabel("Minimum cart amount: USD").fill("abc")
    await saveForm(page)
    await form.getByText("Check these fields: Minimum cart amount").waitFor()
    const isWrong = async (currency: string) =>
      await form.getByLabel(`Minimum cart amount: ${currency}`).getAttribute("aria-invalid")
    expect([await isWrong("USD"), await isWrong("AED")]).toEqual(["true", "false"])
  })

  it("locks what medusa-config gives, and says why @deep", async () => {
    const { form } = await openForm(admin, "checkout")
    expect(await form.getByLabel("Return URL after payment").isDisabled()).toBe(true)
    expect(await form.getByText("This value is set in medusa-config.").count()).toBeGreaterThan(0)
  })

  it("marks what medusa-config sets @deep", async () => {
    const page = await admin.visit(SETTINGS_PAGE)
    const locks = page.getByRole("img", { name: "Set in medusa-config" })
    await locks.first().waitFor()
    expect(await locks.count()).toBe(2)
  })

  it("refuses a domain of payment links that no link can have, and saves a pasted address as its domain @deep", async () => {
    const before = await settings.stored()
    const { page, form } = await openForm(admin, "checkout")
    const field = form.getByLabel("Allowed payment-link domains")
    await field.fill("https://foo bar/x, ???")
    await saveForm(page)
    await form.getByText("Check these fields: Allowed payment-link domains").waitFor()
    expect(await settings.stored()).toBe(before)
    await payments.open()
    const { host } = new URL(setting.gateway.url)
    await field.fill(`https://PAY.example/x، ${host}`)
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
    expect(await settings.read()).toMatchObject({
      fields: { payment_link_hosts: { value: ["pay.example", host] } },
    })
    expect(await page.getByText("A shopper who gets such a link cannot pay.").count()).toBe(0)
  })

  it("shows the checkout that failed because of a domain that the gateway's links do not have @deep", async () => {
    const { page, form } = await openForm(admin, "checkout")
    await form.getByLabel("Allowed payment-link domains").fill("pay.example")
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
    const line = page.locator("[data-line='checkout'][data-state='broken']")
    await expect(payments.open()).rejects.toThrow()
    await page.reload()
    await line.getByText("Last checkout failed: the payment link points to").waitFor()
    const inArabic = await admin.visit(SETTINGS_PAGE, { language: "ar" })
    await inArabic
      .locator("[data-line='checkout'][data-state='broken']")
      .getByText("فشلت آخر عملية شراء")
      .waitFor()
    await line.getByRole("button", { name: `Allow ${new URL(setting.gateway.url).host}` }).click()
    await page.getByText("Settings saved").waitFor()
    const { host } = new URL(setting.gateway.url)
    expect(await settings.read()).toMatchObject({
      fields: { payment_link_hosts: { value: ["pay.example", host] } },
    })
    const allowed = page.locator("[data-line='checkout'][data-state='todo']")
    await allowed.getByText(en.settings.checklist.hostAllowed).waitFor()
    expect(await allowed.getByRole("button").count()).toBe(0)

    await settings.restore()
    await payments.open()
    await page.reload()
    await page.locator("[data-checklist]").waitFor()
    expect(await line.count()).toBe(0)
  })

  it("asks for a checkout, and offers no domain, once every domain is allowed", async () => {
    await settings.save({ payment_link_hosts: ["pay.example"] })
    await expect(payments.open()).rejects.toThrow()
    await settings.save({ payment_link_hosts: null })
    const page = await admin.visit(SETTINGS_PAGE)
    const line = page.locator("[data-line='checkout']")
    await line.getByText(en.settings.checklist.hostAllowed).waitFor()
    expect(await line.getByRole("button").count()).toBe(0)
    await payments.open()
  })

  it("takes the words about a failed save away with the form @deep", async () => {
    const { page, form } = await openForm(admin, "connection")
    await settings.save({ timeout_ms: 7000 })
    await form.getByLabel("Timeout").fill("9000")
    await saveForm(page)
    const words = page.getByText(en.settings.errors.stale_version)
    await words.waitFor()
    await form.getByRole("button", { name: "Cancel" }).click()
    await page.getByRole("button", { name: en.common.discard, exact: true }).click()
    await words.waitFor({ state: "detached" })
  })

  it("says why nothing was saved when the answer names no field @deep", async () => {
    const { page, form } = await openForm(admin, "connection")
    await page.route(/\/settings\/pp_\w+$/, async (route) => {
      const json = { code: "invalid", message: "Invalid request: Unrecognized field", fields: [] }
      await (route.request().method() === "POST" ? route.fulfill({ status: 400, json }) : route.continue())
    })
    await form.getByLabel("Timeout").fill("9500")
    await saveForm(page)
    await form.locator("form > [role='alert']").getByText("Unrecognized field").waitFor()
  })

  it("saves how orders are placed", async () => {
    const { page, form } = await openForm(admin, "checkout")
    await form.getByLabel("When the order is placed").click()
    expect(await form.getByText("placeOrderFirst").count()).toBe(0)
    await page.getByRole("option", { name: "Before payment" }).click()
    await form.getByText("Your shop must request this with placeOrderFirst").waitFor()
    await form.getByLabel("Cancel unpaid orders after").fill("90")
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
    expect(await settings.read()).toMatchObject({
      fields: { order_placement: { value: "before_payment" }, unpaid_order_ttl_minutes: { value: 90 } },
    })
    await page.locator("dl > div", { hasText: "Remind the payer" }).getByText("No reminder").waitFor()
  })

  it("never shows a secret, nor sends one to the browser", async () => {
    const bodies: Promise<string>[] = []
    const page = await admin.visit("/orders")
    const address = page.url().replace("/orders", SETTINGS_PAGE)
    // Ends what the first page still asks for: the body of a response is lost when its page goes.
    await page.goto("about:blank")
    page.on("response", (response) => {
      if (response.url().includes("/admin/crypto-payments")) {
        bodies.push(response.text())
      }
    })
    await page.goto(address)
    const form = await openFormOn(page, "connection")
    expect(await form.getByLabel("Secret key").inputValue()).toBe("")
    const seen = [await page.content(), ...(await Promise.all(bodies))].join()
    expect(seen).not.toContain(setting.gateway.secretKey)
    expect(seen).not.toContain(setting.gateway.token)
  })

  it("replaces the secret key, three clicks from the list", async () => {
    const page = await admin.visit("/crypto-payments")
    await page.locator("main").getByRole("link", { name: en.list.settings }).click()
    const form = await openFormOn(page, "connection")
    await form.getByLabel("Secret key").fill("a-new-secret-key")
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
  })

  it("says which limits cross, with the field in the middle and nothing over Save", async () => {
    const { page, form } = await openForm(admin, "checkout")
    await page.setViewportSize({ width: 1280, height: 600 })
    await form.getByLabel("Minimum cart amount: USD").fill("100")
    await form.getByLabel("Maximum cart amount: USD").fill("50")
    await form.getByLabel("Return URL after payment").focus()
    await saveForm(page)
    const words = "100.00 USD is above the largest, 50.00 USD."
    await form.locator("form > [role='alert']").getByText(words).waitFor()
    expect(await form.getByText(words).count()).toBe(1)
    const field = form.getByLabel("Minimum cart amount: USD")
    expect(await hasFocus(field)).toBe(true)
    expect(await form.getByLabel("Minimum cart amount: AED").getAttribute("aria-invalid")).toBe("false")
    // Both are amounts as the fields take them.
    const described = form.locator(`[id='${String(await field.getAttribute("aria-describedby"))}']`)
    await described.getByText(en.settings.fields.min_amount_hint).waitFor()
    expect(await described.locator("svg").count()).toBe(0)
    const [box, body] = [await field.boundingBox(), await form.locator("form > div").first().boundingBox()]
    const middle = (area: typeof box) => (area?.y ?? 0) + (area?.height ?? 0) / 2
    expect(Math.abs(middle(box) - middle(body))).toBeLessThan(100)
    const save = form.getByRole("button", { name: "Save" })
    const isOnTop = await save.evaluate((button) => {
      const { left, top } = button.getBoundingClientRect()
      return button.contains(button.ownerDocument.elementFromPoint(Number(left) + 5, Number(top) + 5))
    })
    expect(isOnTop).toBe(true)
    expect(await page.locator("[data-sonner-toast]").count()).toBe(0)
    expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
    // One of the two is enough to correct them.
    await form.getByLabel("Maximum cart amount: USD").fill("500")
    expect(await field.getAttribute("aria-invalid")).toBe("false")
    expect(await form.getByText(words).count()).toBe(0)
  })

  it("says when the key before a new one was last used, and stops accepting it when told so", async () => {
    await settings.save({ secret_key: "rotated" })
    const page = await admin.visit(SETTINGS_PAGE)
    const row = page.locator("[data-former-key]")
    await row.getByText(en.settings.formerKey.unused).waitFor()
    const { paymentRequestId } = await payments.open()
    // Still with the former key.
    expect(await store.gateway.notify(paymentRequestId)).toEqual([200])
    await waitUntil(
      async () =>
        await store.knex("crypto_payment_provider_status").whereNotNull("former_key_used_at").first("id"),
      (noted) => noted !== undefined
    )
    await page.reload()
    await row.getByText("Last used").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await row.getByRole("button", { name: en.settings.formerKey.drop }).click()
    await page.getByText("Settings saved").waitFor()
    await row.waitFor({ state: "detached" })
    expect(await store.gateway.notify(paymentRequestId)).toEqual([401])
  })

  it("asks whose open payments are before it takes the address of another account, and closes them", async () => {
    const open = await payments.open()
    const other = await startSandbox({
      port: 0,
      secretKey: "other-secret",
      auth: { bearerToken: "other-token" },
    })
    try {
      const { page, form } = await openForm(admin, "connection")
      await form.getByLabel("Gateway address").fill(other.baseUrl)
      await form.getByLabel("Secret key").fill("other-secret")
      await form.getByLabel("Token").fill("other-token")
      await saveForm(page)
      await page.getByText("Is this the same gateway account?").waitFor()
      await page.getByText(/\d+ open payments? (was|were) made at/).waitFor()
      await page.getByRole("button", { name: /^Another account: close \d+ payments?$/ }).click()
      await page.getByText("Settings saved").waitFor()
      await store.runSchedule()
      await payments.until(open.paymentRequestId, { state: "closed" })
    } finally {
      await settings.restore()
      await other.close()
    }
  })

  it("asks the same on the page after medusa-config has changed the address, and goes on watching them @deep", async () => {
    const open = await payments.open()
    await store
      .knex("crypto_payment_request")
      .where({ payment_request_id: open.paymentRequestId })
      .update({ gateway_origin: "https://former.example" })
    const page = await admin.visit(SETTINGS_PAGE)
    await page.getByText("1 open payment was made at the former address https://former.example").waitFor()
    await page.getByRole("button", { name: "Answer" }).press("Enter")
    await page.getByRole("button", { name: "Cancel" }).press("Enter")
    await page.waitForFunction("document.activeElement.textContent === 'Answer'")
    await page.keyboard.press("Enter")
    await page.getByRole("button", { name: "Same account, new address" }).click()
    await page.getByText("Settings saved").waitFor()
    await store.gateway.pay(open.paymentRequestId, { notify: true, wait: true })
    await payments.until(open.paymentRequestId, { state: "captured" })
  })

  it("does not overwrite what somebody else saved in between @deep", async () => {
    const { page, form } = await openForm(admin, "connection")
    await settings.save({ timeout_ms: 7000 })
    await form.getByLabel("Timeout").fill("9000")
    await saveForm(page)
    await page.getByText("Somebody else saved the settings").waitFor()
    expect(await settings.read()).toMatchObject({ fields: { timeout_ms: { value: 7000 } } })
    await form.getByRole("button", { name: "Cancel" }).click()
    await page.getByText("7000").waitFor()
  })

  it("speaks Arabic @deep", async () => {
    const page = await admin.visit(SETTINGS_PAGE, { language: "ar" })
    await page.getByText("قائمة الإعداد").waitFor()
    await page.getByLabel("القيمة محدَّدة في medusa-config").first().waitFor()
    await page.getByText(ar.settings.checklist.finished).waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await page.getByRole("button", { name: ar.settings.connection.editTitle }).click()
    expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
  })

  it("keeps the knob of a switch in it, and space between a form's buttons, in Arabic", async () => {
    const page = await admin.visit(SETTINGS_PAGE, { language: "ar" })
    await page.getByRole("button", { name: ar.settings.checkout.editTitle }).click()
    const form = page.getByRole("dialog")
    // The form is still moving into the page: places are compared with each other.
    const track = form.getByRole("switch", { checked: true })
    const isInside = await track.evaluate((outer) => {
      const [around, knob] = [outer, outer.firstElementChild].map((shown) => shown?.getBoundingClientRect())
      return Number(knob?.left) > Number(around?.left) && Number(knob?.right) < Number(around?.right)
    })
    expect(isInside).toBe(true)
    const cancel = form.getByRole("button", { name: ar.common.cancel, exact: true })
    const gap = await cancel.evaluate(
      (button) =>
        button.getBoundingClientRect().left - Number(button.nextElementSibling?.getBoundingClientRect().right)
    )
    expect(Math.round(gap)).toBe(8)
  })

  it("says in Arabic that the settings cannot be loaded, without the API's English @deep", async () => {
    const page = await admin.visit("/orders", { language: "ar" })
    await page.route("**/admin/crypto-payments/settings", async (route) => {
      const body = { type: "unknown_error", message: "An unknown error occurred." }
      await route.fulfill({ status: 500, json: body })
    })
    await page.goto(page.url().replace("/orders", SETTINGS_PAGE))
    await page.getByText(ar.problems.broken).waitFor()
    expect(await page.getByText("unknown error").count()).toBe(0)
    await page.unroute("**/admin/crypto-payments/settings")
    await page.getByRole("button", { name: ar.common.retry }).click()
    await page.getByText(ar.settings.checklist.title).waitFor()
  })

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "shows a role without payment:read the settings, and says what is missing: %s @deep",
    async (language, words) => {
      const page = await admin.visit("/orders", { language })
      await page.route("**/admin/crypto-payments/health", async (route) => {
        await route.fulfill({ status: 403, json: { type: "forbidden", message: "Forbidden" } })
      })
      await page.goto(page.url().replace("/orders", SETTINGS_PAGE))
      await page.getByText(words.settings.checklistForbidden).waitFor()
      await page.getByRole("heading", { name: words.settings.connection.title, exact: true }).waitFor()
      await page.getByText(words.settings.webhook.url, { exact: true }).waitFor()
      // Whether a notification arrived is not known.
      expect(await page.getByText(words.settings.webhook.lastGood, { exact: true }).count()).toBe(0)
      expect(await page.locator("[data-checklist]").count()).toBe(0)
      expect(await accessibilityFaults(page)).toEqual([])
    }
  )

  it.each([
    ["en", en],
    ["ar", ar],
  ] as const)(
    "says that the store is paused, completes carts in its own way, or has another address: %s @deep",
    async (language, words) => {
      const page = await admin.visit("/orders", { language })
      await page.route("**/admin/crypto-payments/health", async (route) => {
        const health = (await (await route.fetch()).json()) as Health
        const providers = health.providers.map((provider) => ({
          ...provider,
          address_changed_from: "https://production.example",
        }))
        const completion_replaced_by = ["workflow complete-cart-in-parts"]
        await route.fulfill({ json: { ...health, paused: true, completion_replaced_by, providers } })
      })
      await page.goto(page.url().replace("/orders", SETTINGS_PAGE))
      await page.getByText(words.settings.paused).waitFor()
      await page.getByText("workflow complete-cart-in-parts").waitFor()
      await page.getByText("https://production.example").waitFor()
      expect(await accessibilityFaults(page)).toEqual([])
      const { version } = await settings.read()
      await page.getByRole("button", { name: words.settings.address.accept }).click()
      await page.getByText(words.settings.saved).waitFor()
      expect((await settings.read()).version).toBe(version + 1)
    }
  )

  it.each(["light", "dark"] as const)("has no serious accessibility fault, %s @deep", async (theme) => {
    const page = await admin.visit(SETTINGS_PAGE, { theme })
    await page.getByText("Show the steps").click()
    await page.getByText("The connection works.").waitFor()
    expect(await accessibilityFaults(page)).toEqual([])
    await openFormOn(page, "connection")
    expect(await accessibilityFaults(page, "[role=dialog]")).toEqual([])
  })
})
