import { readFileSync } from "node:fs"
import type { AxeResults } from "axe-core"
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core"
import { setting } from "./store"

export interface Look {
  language?: "en" | "ar"
  theme?: "light" | "dark"
  width?: number
  height?: number
}

const HEIGHT = 1000
const PATIENCE_MS = 30_000

/** A merchant's browser: signed in once, then pages in any language, theme and width. */
export class Admin {
  private browser: Browser | undefined
  private signedIn: Awaited<ReturnType<BrowserContext["storageState"]>> | undefined
  private readonly contexts: BrowserContext[] = []

  async open(): Promise<void> {
    this.browser = await chromium.connect(setting.browser)
    const context = await this.browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${setting.storeUrl}/app/login`)
    await page.getByPlaceholder("Email").fill(setting.seeded.admin.email)
    await page.getByPlaceholder("Password").fill(setting.seeded.admin.password)
    await page.getByRole("button", { name: "Continue with Email" }).click()
    await page.waitForURL((url) => !url.pathname.endsWith("/login"))
    this.signedIn = await context.storageState()
    await context.close()
  }

  /** Opens a page of the admin at `path` below `/app`. */
  async visit(
    path: string,
    { language = "en", theme = "light", width = 1440, height = HEIGHT }: Look = {}
  ): Promise<Page> {
    if (this.browser === undefined || this.signedIn === undefined) {
      throw new Error("The merchant has not signed in")
    }
    const context = await this.browser.newContext({
      storageState: this.signedIn,
      viewport: { width, height },
      reducedMotion: "reduce",
      acceptDownloads: true,
      permissions: ["clipboard-read", "clipboard-write"],
    })
    this.contexts.push(context)
    // Where the admin keeps what a merchant chose in their profile.
    await context.addCookies([{ name: "lng", value: language, url: setting.storeUrl }])
    await context.addInitScript({ content: `localStorage.setItem("medusa_admin_theme", "${theme}")` })
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${setting.storeUrl}/app${path}`)
    return page
  }

  async closePages(): Promise<void> {
    await Promise.all(this.contexts.splice(0).map(async (context) => await context.close()))
  }

  async close(): Promise<void> {
    await this.closePages()
    await this.browser?.close()
  }
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

// Core's own data table: its filter, sort and search controls have no names yet.
const CORES_OWN = ["button[aria-haspopup='menu']:has(svg)", "div[role='img'].pointer-events-none"]

/**
 * What axe finds that keeps people from using our part of a page, not core's shell around it.
 *
 * @param within a selector; the main area unless told
 * @returns rule and element of each serious or critical violation
 */
export async function accessibilityFaults(page: Page, within = "main"): Promise<string[]> {
  await page.evaluate(AXE)
  const context = JSON.stringify({ include: [within], exclude: CORES_OWN })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context})`)
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
