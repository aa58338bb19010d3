import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core"
import { setting } from "./store"

export interface ShopperLook {
  language?: "en" | "ar"
  /** As the store is set: whether the order is placed before the payer leaves. */
  orderPlacement?: "after_payment" | "before_payment"
}

const PATIENCE_MS = 60_000
let shoppers = 0

/** A browser of one shopper: its tabs share the cart, another shopper's do not. */
export class ShopperBrowser {
  constructor(
    private readonly context: BrowserContext,
    readonly email: string,
    private readonly look: ShopperLook
  ) {}

  /** Opens a page of the shop in a tab of its own. */
  async open(path: string): Promise<Page> {
    const page = await this.context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    const { orderPlacement } = this.look
    if (orderPlacement !== undefined) {
      await page.route("**/config.json", async (route) => {
        const answer = await route.fetch()
        await route.fulfill({ json: { ...((await answer.json()) as object), orderPlacement } })
      })
    }
    await page.goto(new URL(path, setting.shopUrl).href)
    return page
  }

  /** Buys a coffee of 15.01 USD, 20.01 with its delivery, up to the button that leads to the payment page. */
  async fillCart(): Promise<Page> {
    const page = await this.open("/")
    await page.locator(".price", { hasText: /\d/ }).waitFor()
    await page.locator(".product .button").click()
    const address = {
      email: this.email,
      first_name: "Aisha",
      last_name: "Rahman",
      address_1: "1 Creek Road",
      city: "Austin",
    }
    for (const [name, value] of Object.entries(address)) {
      await page.locator(`input[name=${name}]`).fill(value)
    }
    await page.locator("form .button").click()
    await payButton(page).waitFor()
    return page
  }

  /** Buys a coffee up to the payment page. */
  async goToPayment(): Promise<{ page: Page; paymentRequestId: string }> {
    const page = await this.fillCart()
    return { page, paymentRequestId: await leaveToPay(page) }
  }
}

/** Shoppers' browsers, closed together. */
export class ShopperBrowsers {
  private browser: Browser | undefined
  private readonly contexts: BrowserContext[] = []

  async another(look: ShopperLook = {}): Promise<ShopperBrowser> {
    this.browser ??= await chromium.connect(setting.browser)
    const locale = look.language === "ar" ? "ar-AE" : "en-US"
    const context = await this.browser.newContext({ locale, reducedMotion: "reduce" })
    this.contexts.push(context)
    shoppers++
    return new ShopperBrowser(context, `shop-${String(Date.now())}-${String(shoppers)}@example.test`, look)
  }

  async closeTabs(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map(async (context) => await context.close()))
  }

  async close(): Promise<void> {
    await this.closeTabs()
    await this.browser?.close()
  }
}

export const payButton = (page: Page): Locator => page.locator(".crypto-pay-button.crypto-pay-wide")

/** Presses the button and waits for the payment page. @returns the payment request's id */
export async function leaveToPay(page: Page): Promise<string> {
  await payButton(page).click()
  await page.waitForURL((url) => url.pathname.startsWith("/pay/"))
  return new URL(page.url()).pathname.split("/").at(-1) ?? ""
}

type GatewayButton =
  | ("pay" | "part" | "decline" | "lost" | "late")
  | ("too_little" | "too_much" | "other_currency")

/** Presses a button of the gateway's payment page. */
export async function press(page: Page, button: GatewayButton): Promise<void> {
  await page.locator(`button[value=${button}]`).click()
}

/** Waits until the return page says so. */
export async function sees(
  page: Page,
  view: "waiting" | "paid" | "unpaid" | "partial" | "delayed" | "review" | "refunded" | "canceled" | "unknown"
): Promise<void> {
  await page.locator(`.crypto-pay-panel[data-view=${view}]`).waitFor()
}

/** Waits until the order's page says so, and shows `words` besides. */
export async function showsOrder(page: Page, state: string, ...words: string[]): Promise<void> {
  const order = page.locator(`.crypto-pay-order[data-view=${state}]`)
  await order.waitFor()
  for (const word of words) {
    await order.getByText(word).first().waitFor()
  }
}

/** The link to the order, which only its shopper gets. */
export const orderLink = (page: Page): Locator => page.locator(".crypto-pay-panel > a[href^='/order/']")
