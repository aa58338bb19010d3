import type { Locator, Page } from "playwright-core"
import { leaveToPay, type ShopperBrowser } from "../browser/support/shop"
import { untilTrue } from "../support/wait-until"

const IN_AUSTIN = {
  country: "us",
  written: {
    first_name: "Aisha",
    last_name: "Rahman",
    address_1: "1 Creek Road",
    postal_code: "73301",
    city: "Austin",
  },
}

/** In Medusa's starter, from the product to the payment step. 20.01 USD with its delivery, or 73.50 AED. */
export async function goToPaymentStep(
  shopper: ShopperBrowser,
  { country, written } = IN_AUSTIN
): Promise<Page> {
  const page = await shopper.open(`/${country}/products/coffee`)
  await addToCart(page)
  await page.goto(new URL(`/${country}/checkout?step=address`, page.url()).href)
  await whenAlive(page.getByTestId("submit-address-button"))
  for (const [name, value] of Object.entries(written)) {
    await page.locator(`input[name='shipping_address.${name}']`).fill(value)
  }
  await page.locator("select[name='shipping_address.country_code']").selectOption(country)
  await page.locator("input[name=email]").fill(shopper.email)
  await page.getByTestId("submit-address-button").click()
  await page.getByTestId("delivery-option-radio").first().click()
  await page.getByTestId("submit-delivery-option-button").click()
  await page.getByText("Crypto", { exact: true }).click()
  return page
}

export async function addToCart(page: Page): Promise<void> {
  await (await whenAlive(page.getByRole("button", { name: "Whole beans" }))).click()
  // Next.js forgets the answer to an action that a change of the address overtakes.
  await page.waitForURL(/v_id=/)
  const button = await whenAlive(page.getByTestId("add-product-button").first())
  await changeCart(page, async () => await button.click())
  await page.getByTestId("nav-cart-link").filter({ hasText: "(1)" }).waitFor()
}

/** Next.js may drop the answer to an action, so the page is read again. */
export async function changeCart(page: Page, change: () => Promise<unknown>): Promise<void> {
  const changed = page.waitForResponse((response) => response.request().method() === "POST")
  await change()
  await changed
  await page.reload()
}

/** An element of a page from the server: until React has taken it over, whatever is done to it is lost. */
export async function whenAlive(element: Locator): Promise<Locator> {
  const isAlive = (shown: object): boolean => Object.keys(shown).some((key) => key.startsWith("__reactProps"))
  await untilTrue(async () => await element.evaluate(isAlive))
  return element
}

/** Up to the button that leads to the payment page. */
export async function goToReview(shopper: ShopperBrowser, address = IN_AUSTIN): Promise<Page> {
  const page = await goToPaymentStep(shopper, address)
  await page.getByTestId("submit-payment-button").click()
  await page.waitForURL(/step=review/)
  return page
}

export async function goToPayment(
  shopper: ShopperBrowser
): Promise<{ page: Page; paymentRequestId: string }> {
  const page = await goToReview(shopper)
  return { page, paymentRequestId: await leaveToPay(page) }
}

/** Makes an account, and ends on its page. */
export async function register(shopper: ShopperBrowser): Promise<Page> {
  const page = await shopper.open("/us/account")
  await page.getByTestId("register-button").click()
  const given = {
    first_name: "Aisha",
    last_name: "Rahman",
    email: shopper.email,
    password: "correct-horse-9",
  }
  for (const [name, value] of Object.entries(given)) {
    await page.locator(`input[name=${name}]`).fill(value)
  }
  await page.getByTestId("register-button").click()
  await page.getByTestId("overview-page-wrapper").waitFor()
  return page
}
