import type { Page } from "playwright-core"
import { startSandbox } from "../../dist/sandbox"
import { GatewayControl } from "../support/gateway-control"
import { untilTrue } from "../support/wait-until"
import { Admin, holdBack } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { setting } from "./support/store"
import { withSecondProvider } from "./support/store-process"

const SECRETS = { secretKey: "wholesale-secret", token: "wholesale-token" }

describeAdmin("a store with two providers", ({ payments, store }) => {
  /** The second provider's gateway. Its merchant was paid 50.00 AED, of which 49.50 are left after the fee. */
  const startGateway = async () => {
    const gateway = await startSandbox({
      port: 0,
      secretKey: SECRETS.secretKey,
      auth: { bearerToken: SECRETS.token },
    })
    const response = await fetch(`${gateway.baseUrl}/api/payments`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${SECRETS.token}` },
      body: JSON.stringify({
        symbol: "AED",
        amount: "50.00",
        ipn_success_url: "https://shop.example/success",
        ipn_failed_url: "https://shop.example/failed",
        payer_email_address: "somebody@example.test",
      }),
    })
    const { data } = (await response.json()) as { data: { payment_request_id: string } }
    await new GatewayControl(gateway.url).pay(data.payment_request_id)
    return gateway
  }
  const choose = async (page: Page, provider: string) => {
    await page.getByRole("combobox", { name: "Provider" }).click()
    await page.getByRole("option", { name: provider }).click()
    await page.waitForURL((url) => url.searchParams.get("provider_id") === `pp_crypto_${provider}`)
  }

  it("shows settings and balances of each, filters payments by it, and makes links of each", async () => {
    const paid = await payments.paid()
    const gateway = await startGateway()
    const options = {
      baseUrl: gateway.baseUrl,
      secretKey: SECRETS.secretKey,
      auth: { type: "bearer", token: SECRETS.token },
      successUrl: "https://shop.example/return?session_id={session_id}",
      // Without the placeholder, as a merchant forgets it.
      failedUrl: "https://shop.example/failed",
    }
    try {
      await withSecondProvider(options, async (url) => {
        const admin = new Admin(url)
        try {
          await admin.open()
          await seesSettings(await admin.visit("/settings/crypto-payments"), gateway.baseUrl)
          await seesBalances(await admin.visit("/crypto-payments/balances"))
          await filtersPayments(await admin.visit(`/crypto-payments?q=${paid.id}`))
          const visitOrder = async () => await admin.visit(`/orders/${await payments.madeByMerchant()}`)
          await givesPage(await visitOrder())
          await whereBothAreOffered(async () => await givesLink(await visitOrder()))
        } finally {
          await admin.close()
        }
      })
    } finally {
      await gateway.close()
    }
  })

  it("opens the settings with the one that is not set up yet", async () => {
    await withSecondProvider({}, async (url) => {
      const admin = new Admin(url)
      try {
        await admin.open()
        const page = await admin.visit("/settings/crypto-payments")
        await page.getByRole("combobox", { name: "Provider" }).getByText("wholesale").waitFor()
      } finally {
        await admin.close()
      }
    })
  })

  const seesSettings = async (page: Page, baseUrl: string) => {
    await page
      .locator("[data-checklist='finished'], [data-line='connection'][data-state='done']")
      .first()
      .waitFor()
    expect(await page.getByText(baseUrl).count()).toBe(0)
    await choose(page, "wholesale")
    await page.getByText(baseUrl).waitFor()
    await page.reload()
    await page.getByText(baseUrl).waitFor()
    await page
      .locator("[data-line='urls'][data-state='broken']")
      .getByText("The return URL if payment fails does not contain {session_id}.")
      .waitFor()
  }

  const seesBalances = async (page: Page) => {
    const theirs = page.getByRole("row", { name: "AED" }).getByText("49.5", { exact: true })
    await page.locator("tbody tr").first().waitFor()
    expect(await theirs.count()).toBe(0)
    await choose(page, "wholesale")
    await theirs.waitFor()
  }

  /** The order's region offers one of both. */
  const givesPage = async (page: Page) => {
    const card = page.getByTestId("order-crypto-payment")
    await card.getByRole("button", { name: "Copy pay page", exact: true }).click()
    await page.getByText("Pay page copied", { exact: true }).waitFor()
    expect(await card.getByRole("button", { name: "Copy pay page: " }).count()).toBe(0)
  }

  const whereBothAreOffered = async (use: () => Promise<void>) => {
    const path = `/regions/${setting.seeded.regions.usd}`
    const { data } = await store.asAdmin.get(`${path}?fields=payment_providers.id`)
    const before = (data.region.payment_providers as { id: string }[]).map(({ id }) => id)
    const offer = async (payment_providers: string[]) =>
      expect((await store.asAdmin.post(path, { payment_providers })).status).toBe(200)
    await offer([...before, "pp_crypto_wholesale"])
    await use().finally(async () => await offer(before))
  }

  const givesLink = async (page: Page) => {
    const card = page.getByTestId("order-crypto-payment")
    const menuOf = (provider: string) =>
      card
        .getByRole("button", { name: `Copy pay page: ${provider}` })
        .locator("xpath=..")
        .getByRole("button", { name: "More actions" })
    await menuOf("wholesale").waitFor()
    expect(await card.getByRole("button", { name: "Copy pay page", exact: true }).count()).toBe(0)
    const answer = await holdBack(page, "**/payment-link")
    // A link of the other one would outlive its gateway.
    await menuOf("default").click()
    await page.getByRole("menuitem", { name: "Copy payment link: default" }).click()
    await untilTrue(async () => await menuOf("default").isDisabled())
    expect(await menuOf("wholesale").isDisabled()).toBe(false)
    answer()
    await page.getByText("Payment link copied", { exact: true }).waitFor()
    await card.getByText("Awaiting payment").waitFor()
  }

  const filtersPayments = async (page: Page) => {
    await page.locator("tbody tr", { hasText: "Captured" }).waitFor()
    await page.locator("button[aria-haspopup='menu']:has(svg)").nth(-2).click()
    await page.getByRole("menuitem", { name: "Provider" }).click()
    await page.getByRole("dialog").getByText("wholesale").click()
    await page.getByText("Nothing matches").waitFor()
  }
})
