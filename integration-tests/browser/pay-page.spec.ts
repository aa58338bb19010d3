import type { Page } from "playwright-core"
import { OrderChanges } from "../support/order-changes"
import { readCollectionEnd } from "../support/end-state"
import { waitUntil } from "../support/wait-until"
import { accessibilityFaults } from "./support/admin"
import { describeAdmin } from "./support/describe-admin"
import { ShopperBrowsers, press } from "./support/shop"

const WIDGET = "[data-testid='order-crypto-payment']"

describeAdmin("the pay page of an order", ({ admin, store, payments }) => {
  const changes = new OrderChanges(store)
  const payers = new ShopperBrowsers()
  afterEach(async () => await payers.closeTabs())
  afterAll(async () => await payers.close())

  /** Presses the admin's button. @returns the address that it copies */
  async function copyPage(path: string): Promise<string> {
    const page = await admin.visit(path)
    await page.locator(WIDGET).getByRole("button", { name: "Copy pay page" }).click()
    await page.getByText("Pay page copied", { exact: true }).waitFor()
    return await page.evaluate<string>("navigator.clipboard.readText()")
  }

  const openPage = async (url: string): Promise<Page> => await (await payers.another()).open(url)

  const rowsOf = async (orderId: string) =>
    await store
      .knex("crypto_payment_request as r")
      .join("order_payment_collection as link", "link.payment_collection_id", "r.payment_collection_id")
      .where({ "link.order_id": orderId })
      .orderBy("r.created_at")
      .select("r.*")

  it("is copied on a draft order, paid by whoever opens it, and captured once", async () => {
    const orderId = await changes.draft()
    const url = await copyPage(`/draft-orders/${orderId}`)
    const page = await openPage(url)
    await page.getByText("15.01 USD").waitFor()
    await page.getByRole("button", { name: "Pay with crypto" }).click()
    await press(page, "pay")
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor()
    expect(page.url().split("?")[0]).toBe(url)

    const [row, ...more] = await waitUntil(
      async () => await rowsOf(orderId),
      ([first]) => first?.settled_at != null
    )
    expect([row?.state, more]).toEqual(["captured", []])
    expect(await readCollectionEnd(store.knex, String(row?.payment_collection_id))).toMatchObject({
      captures: ["15.01"],
    })
  })

  it("asks for the new sum after an edit, and says paid after one that makes the order cheaper", async () => {
    const { orderId } = await payments.paid()
    await changes.raise(String(orderId))
    const url = await copyPage(`/orders/${String(orderId)}`)
    const page = await openPage(url)
    await page.getByText("15.01 USD").waitFor()
    await changes.raise(String(orderId))
    await page.reload()
    await page.getByText("30.02 USD").waitFor()
    const items = await changes.items(String(orderId))
    await changes.reprice(
      String(orderId),
      items.map((item) => ({ ...item, unit_price: 1 }))
    )
    await page.reload()
    await page.getByRole("heading", { name: "Paid", exact: true }).waitFor()
  })

  it("is left and come back to by keyboard alone, after a decline", async () => {
    const page = await openPage(await copyPage(`/draft-orders/${await changes.draft()}`))
    const button = page.getByRole("button", { name: "Pay with crypto" })
    await button.focus()
    await page.keyboard.press("Enter")
    await press(page, "decline")
    await button.waitFor()
  })

  it.each(["en", "ar"] as const)(
    "has no fault for anybody, on a phone too, in both themes: %s",
    async (lang) => {
      const url = await copyPage(`/draft-orders/${await changes.draft()}`)
      const page = await openPage(`${url}?lang=${lang}`)
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await accessibilityFaults(page, "body")).toEqual([])
        const isTooWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        expect(await page.evaluate(isTooWide)).toBe(false)
      }
    }
  )
})
