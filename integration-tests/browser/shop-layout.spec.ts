import { accessibilityFaults } from "./support/admin"
import { describeShop } from "./support/describe-shop"
import { setting } from "./support/store"

describeShop("the pages of a shopper", ({ shoppers }) => {
  it.each([["en"], ["ar"]] as const)("has a header of one line on a phone, in %s", async (language) => {
    const page = await (await shoppers.another({ language })).open("/")
    await page.locator(".price", { hasText: /\d/ }).waitFor()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 800 })
      const middles = await page
        .locator(".bar .brand, .bar select, .bar .plain, .bar .to-cart")
        .evaluateAll((parts) =>
          parts.map((part) => {
            const { top, height } = part.getBoundingClientRect() as { top: number; height: number }
            return Math.round(top + height / 2)
          })
        )
      expect(middles).toHaveLength(4)
      expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
      expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
    }
    expect(await accessibilityFaults(page)).toEqual([])
  })

  it.each([["en"], ["ar"]] as const)(
    "finds its payment in the sandbox's list, unbroken, in %s",
    async (language) => {
      const shopper = await shoppers.another({ language })
      const { page, paymentRequestId } = await shopper.goToPayment()
      await page.goto(setting.gateway.url)
      await page.getByRole("link", { name: paymentRequestId }).waitFor()
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 800 })
        const lines = await page.locator("td .num, td .status").evaluateAll((parts) =>
          parts.map((part) => {
            const style = part.ownerDocument.defaultView?.getComputedStyle(part)
            return Math.round(part.getBoundingClientRect().height / parseFloat(style?.lineHeight ?? ""))
          })
        )
        expect(new Set(lines)).toEqual(new Set([1]))
        expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width)
      }
    }
  )
})
