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
  private readonly contexts = new Map<string, BrowserContext>()

  constructor(private readonly storeUrl = setting.storeUrl) {}

  async open(): Promise<void> {
    this.browser = await chromium.connect(setting.browser)
    const context = await this.browser.newContext()
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.goto(`${this.storeUrl}/app/login`)
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
    const page = await (await this.context(language, theme)).newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.setViewportSize({ width, height })
    await page.goto(`${this.storeUrl}/app${path}`)
    return page
  }

  /** One for each language and theme: what it has loaded once it keeps. */
  private async context(language: string, theme: string): Promise<BrowserContext> {
    const name = `${language}-${theme}`
    const known = this.contexts.get(name)
    if (known !== undefined) {
      return known
    }
    const context = await this.connected().newContext({
      ...(this.signedIn === undefined ? {} : { storageState: this.signedIn }),
      reducedMotion: "reduce",
      acceptDownloads: true,
      permissions: ["clipboard-read", "clipboard-write"],
    })
    this.contexts.set(name, context)
    // Where the admin keeps what a merchant chose in their profile.
    await context.addCookies([{ name: "lng", value: language, url: this.storeUrl }])
    await context.addInitScript({ content: `localStorage.setItem("medusa_admin_theme", "${theme}")` })
    return context
  }

  private connected(): Browser {
    if (this.browser === undefined) {
      throw new Error("The merchant has not signed in")
    }
    return this.browser
  }

  async closePages(): Promise<void> {
    const pages = [...this.contexts.values()].flatMap((context) => context.pages())
    await Promise.all(pages.map(async (page) => await page.close()))
  }

  async close(): Promise<void> {
    await this.closePages()
    await this.browser?.close()
  }
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

// Core's own, without names yet: its data table's filter, sort and search, and the cross of its drawers.
const CORES_OWN = [
  "button[aria-haspopup='menu']:has(svg)",
  "div[role='img'].pointer-events-none",
  "[role='dialog'] > div:first-child button",
]

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
