import type { Page } from "playwright-core"
import ar from "../../sandbox/page/ar.json"
import en from "../../sandbox/page/en.json"
import { UNPAID } from "../support/end-state"
import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { Payments } from "./support/payments"
import { leaveToPay, payButton, type ShopperLook } from "./support/shop"
import { setting } from "./support/store"

const PHONE = { width: 390, height: 800 }

describeShop("the sandbox's pages", ({ shoppers, store, endOf }) => {
  const openList = async (look?: ShopperLook): Promise<Page> => {
    const shopper = await shoppers.another(look)
    return await shopper.open(setting.gateway.url)
  }
  const isTooWide = async (page: Page): Promise<boolean> =>
    await page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")

  it("adds a fault, shows it as active, and clears it", async () => {
    const page = await openList()
    const faults = page.getByRole("region", { name: en.faults })
    await faults.getByLabel(en.endpoint).selectOption("create")
    await faults.getByLabel(en.fault).selectOption("false_flag")
    await faults.getByRole("button", { name: en.addFault }).click()
    await faults.getByText("1 active").waitFor()
    const active = faults.getByRole("listitem")
    expect(await active.allTextContents()).toEqual([
      expect.stringContaining(`${en.faultKinds.false_flag} · ${en.endpoints.create}`),
    ])

    const checkout = await (await shoppers.another()).fillCart()
    await payButton(checkout).click()
    await checkout.locator(".crypto-pay-error", { hasText: /\S/ }).waitFor()

    await faults.getByRole("button", { name: en.clearFaults }).click()
    await faults.getByText(en.activeFaults.zero).waitFor()
    await leaveToPay(checkout)
  })

  it("says that forged notifications were rejected and nothing was paid", async () => {
    const shopper = await shoppers.another()
    const { page, paymentRequestId } = await shopper.goToPayment()
    await page.getByRole("button", { name: en.forge }).click()
    const said = page.getByRole("status")
    await said.getByText("The shop rejected 1 forged notification.").waitFor()
    await said.getByText(en.nothingPaid).waitFor()
    // One of the two is taken, and settled after its answer.
    await new Payments(store).until(
      paymentRequestId,
      { lease_until: null },
      ({ last_webhook_at, last_checked_at }) =>
        Number(last_webhook_at) > 0 && Number(last_checked_at) >= Number(last_webhook_at)
    )
    expect(await endOf(shopper, () => true)).toEqual(UNPAID)
  })

  it("copies an address", async () => {
    const page = await openList()
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"])
    const button = page.getByRole("button", { name: `${en.copy}: ${en.baseUrl}` })
    await button.click()
    await button.getByText(en.copied).waitFor()
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(setting.gateway.baseUrl)
  })

  it.each(["en", "ar"] as const)(
    "fits a phone and is free of accessibility faults (%s)",
    async (language) => {
      const shopper = await shoppers.another({ language })
      const { page: payment } = await shopper.goToPayment()
      const list = await shopper.open(setting.gateway.url)
      await list.getByRole("heading", { level: 1, name: { en, ar }[language].sandbox }).waitFor()
      for (const page of [payment, list]) {
        expect(await page.locator("html").getAttribute("dir")).toBe(language === "ar" ? "rtl" : "ltr")
        expect(await accessibilityFaults(page, "body")).toEqual([])
        await page.setViewportSize(PHONE)
        expect(await isTooWide(page)).toBe(false)
      }
    }
  )
})
