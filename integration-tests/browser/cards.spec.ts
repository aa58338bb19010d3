import ar from "../../src/admin/i18n/ar.json"
import en from "../../src/admin/i18n/en.json"
import type { Health } from "../../src/http-contract"
import { accessibilityFaults } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { setting } from "./support/store"

const REGION = "[data-testid='region-crypto-payments']"
const CUSTOMER = "[data-testid='customer-crypto-payments']"

describeAdmin("the crypto card of a region's page", ({ admin, store }) => {
  const pageOf = (id: string) => `/settings/regions/${id}`

  it("says that crypto is offered there, and how many links wait", async () => {
    await store.shopper.checkout()
    const page = await admin.visit(pageOf(setting.seeded.regions.usd))
    const card = page.locator(REGION)
    await card.getByText(en.region.offered).waitFor()
    await card.getByText(/\d+ payment links? in USD waits? to be paid\./).waitFor()
    expect(await accessibilityFaults(page, REGION)).toEqual([])
  })

  it("says why crypto is not offered, in both languages, and leads to what can be done", async () => {
    const region = { name: "Elsewhere", countries: [], payment_providers: ["pp_system_default"] }
    const make = async (currency_code: string): Promise<string> =>
      String((await store.asAdmin.post("/regions", { ...region, currency_code })).data.region.id)
    const other = await admin.visit(pageOf(await make("eur")))
    await other.locator(REGION).getByText("this region is in EUR").waitFor()
    const id = await make("usd")
    const without = await admin.visit(pageOf(id), { language: "ar" })
    await without.locator(REGION).getByText(ar.region.notOnRegion).waitFor()
    await without.locator(REGION).getByRole("link", { name: ar.region.change }).click()
    await without.waitForURL(`**/regions/${id}/edit`)
  })

  it("leads to the settings where the region has a provider that is not offered", async () => {
    const page = await admin.visit("/settings/regions")
    await page.route("**/admin/crypto-payments/health", async (route) => {
      const health = (await (await route.fetch()).json()) as Health
      const regions = health.regions.map((region) => ({ ...region, offered_ids: [] }))
      await route.fulfill({ json: { ...health, regions } })
    })
    await page.goto(page.url().replace("/regions", `/regions/${setting.seeded.regions.usd}`))
    await page.locator(REGION).getByText(en.region.notSetUp).waitFor()
    await page.locator(REGION).getByRole("link", { name: en.region.change }).click()
    await page.locator("[data-line='regions'][data-state='broken']").waitFor()
  })

  it("is not there for a user who may not read payments", async () => {
    const page = await admin.visit("/settings/regions")
    const asked = page.waitForResponse("**/admin/crypto-payments/health")
    await page.route("**/admin/crypto-payments/**", async (route) => {
      await route.fulfill({ status: 403, json: { type: "forbidden", message: "Forbidden" } })
    })
    await page.goto(page.url().replace("/regions", `/regions/${setting.seeded.regions.usd}`))
    await (await asked).finished()
    await page.getByRole("heading", { name: "United States" }).first().waitFor()
    expect(await page.locator(REGION).count()).toBe(0)
  })
})

describeAdmin("the crypto card of a customer's page", ({ admin, store, payments }) => {
  it("shows the customer's payments, each with a link to it, and nobody else's", async () => {
    const email = `card-${String(Date.now())}@example.test`
    const { id } = await payments.paid({ email })
    await payments.open()
    const customer = await store.knex<{ id: string; email: string }>("customer").where({ email }).first("id")
    const page = await admin.visit(`/customers/${String(customer?.id)}`)
    const card = page.locator(CUSTOMER)
    await card.getByText("20.01 USD").waitFor()
    expect(await card.getByRole("listitem").count()).toBe(1)
    expect(await accessibilityFaults(page, CUSTOMER)).toEqual([])
    await card.getByRole("link", { name: "20.01 USD" }).click()
    await page.waitForURL(`**/crypto-payments/${id}`)
  })
})
