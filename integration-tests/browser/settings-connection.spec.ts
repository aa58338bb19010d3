import { startSandbox, type SandboxAuth } from "../../dist/sandbox"
import ar from "../../src/admin/i18n/ar.json"
import { describeAdmin } from "./support/describe-admin"
import { openForm, saveForm, Settings, SETTINGS_PAGE } from "./support/settings"
import { setting } from "./support/store"

describeAdmin("the connection to the gateway, in the settings", ({ admin, store }) => {
  const settings = new Settings(store)
  afterEach(async () => await settings.restore())

  it("tests the connection with the values of the form", async () => {
    const { form } = await openForm(admin, "connection")
    await form.getByRole("button", { name: "Test connection" }).click()
    await form.getByText("The connection works").waitFor()
  })

  it("says that the gateway refuses a wrong token, and saves nothing", async () => {
    const before = await settings.stored()
    const { form } = await openForm(admin, "connection")
    await form.getByLabel("Token").fill("wrong")
    await form.getByRole("button", { name: "Test connection" }).click()
    await form.getByText("The gateway refused the request").waitFor()
    expect(await settings.stored()).toBe(before)
  })

  const signIns: [string, SandboxAuth, Record<string, string>][] = [
    ["None", {}, {}],
    ["Token (bearer)", { bearerToken: "token-1" }, { Token: "token-1" }],
    [
      "User name and password",
      { basic: { username: "shop", password: "word-1" } },
      { "User name": "shop", Password: "word-1" },
    ],
    [
      "Custom headers",
      { headers: { "X-Shop-Key": "key-1" } },
      { "Header name": "X-Shop-Key", Value: "key-1" },
    ],
    [
      "Request signature",
      { signature: { apiKey: "key-1", secretKey: "sign-1" } },
      { "API key": "key-1", "Signing key": "sign-1" },
    ],
  ]
  it.each(signIns)("signs in to the gateway by: %s", async (kind, auth, values) => {
    const gateway = await startSandbox({ port: 0, secretKey: "other-secret", auth })
    try {
      const before = kind === "None" ? { type: "bearer", token: "former" } : { type: "none" }
      await settings.save({ base_url: gateway.baseUrl, secret_key: "other-secret", auth: before })
      const { page, form } = await openForm(admin, "connection")
      await form.getByLabel("Authentication").click()
      await page.getByRole("option", { name: kind, exact: true }).click()
      for (const [label, value] of Object.entries(values)) {
        await form.getByLabel(label, { exact: true }).first().fill(value)
      }
      await form.getByRole("button", { name: "Test connection" }).click()
      await form.getByText("The connection works").waitFor()
      await saveForm(page)
      await page.getByText("Settings saved").waitFor()
      await page.reload()
      await page.locator("dl > div", { hasText: "Authentication" }).getByText(kind).waitFor()
      // The checklist tries what is stored.
      await page.locator("[data-line='connection'][data-state='done']").waitFor({ state: "attached" })
    } finally {
      await gateway.close()
    }
  })

  it("removes a header whose name is deleted, and keeps the value of the other", async () => {
    const headers = { "X-Shop-Key": "key-1", "X-Old": "old-1" }
    await settings.save({ auth: { type: "headers", headers } })
    const { page, form } = await openForm(admin, "connection")
    await form.locator("input[value='X-Old']").fill("")
    await saveForm(page)
    await page.getByText("Settings saved").waitFor()
    await page.getByText("Header X-Old").waitFor({ state: "detached" })
    const { secrets } = await settings.read()
    expect(secrets).toMatchObject({ "auth.headers.X-Shop-Key": { is_set: true } })
    expect(secrets).not.toHaveProperty(["auth.headers.X-Old"])
  })

  it("says that the gateway is down", async () => {
    await store.gateway.fail({ endpoint: "balances", kind: "reset" })
    const { form } = await openForm(admin, "connection")
    await form.getByRole("button", { name: "Test connection" }).click()
    await form.getByText("The gateway could not be reached").waitFor()
  })

  it("says that something else answers at an address", async () => {
    const { form } = await openForm(admin, "connection")
    await form.getByLabel("Gateway address").fill(`${setting.gateway.url}/control`)
    await form.getByRole("button", { name: "Test connection" }).click()
    await form.getByText("not with this gateway's API").waitFor()
  })

  it("asks for every secret again before it tests another address", async () => {
    const { form } = await openForm(admin, "connection")
    await form.getByLabel("Gateway address").fill("https://elsewhere.example/v1")
    await form.getByRole("button", { name: "Test connection" }).click()
    await form.getByText("stored secrets are never sent to a new address").first().waitFor()
    await form.getByText("This is another address").waitFor()
  })

  it("says in Arabic that the gateway is down, and that it refuses a wrong token", async () => {
    await store.gateway.fail({ endpoint: "balances", kind: "reset", times: 100 })
    const page = await admin.visit(SETTINGS_PAGE, { language: "ar" })
    await page.getByRole("button", { name: ar.settings.connection.editTitle }).click()
    const form = page.getByRole("dialog")
    await form.getByRole("button", { name: ar.settings.connection.test }).click()
    await form.getByText(ar.problems.unreachable).waitFor()
    await store.gateway.recover()
    await form.getByLabel(ar.settings.fields.auth.token, { exact: true }).fill("wrong")
    await form.getByRole("button", { name: ar.settings.connection.test }).click()
    await form.getByText(ar.problems.refused).waitFor()
  })
})
