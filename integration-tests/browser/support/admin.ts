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
const PATIENCE_MS = 60_000

/** A merchant's browser: signed in once, then pages in any language, theme and width. */
export class Admin {
  private browser: Browser | undefined
  private context: BrowserContext | undefined

  constructor(private readonly storeUrl = setting.storeUrl) {}

  async open(): Promise<void> {
    this.browser = await chromium.connect(setting.browser)
    this.context = await this.browser.newContext({
      reducedMotion: "reduce",
      acceptDownloads: true,
      permissions: ["clipboard-read", "clipboard-write"],
    })
    // As core's sign-in page does it, without loading the page.
    const { request } = this.context
    const signIn = await request.post(`${this.storeUrl}/auth/user/emailpass`, { data: setting.seeded.admin })
    const { token } = (await signIn.json()) as { token: string }
    const headers = { authorization: `Bearer ${token}` }
    const session = await request.post(`${this.storeUrl}/auth/session`, { headers })
    if (!session.ok()) {
      throw new Error(`the merchant could not sign in: ${String(session.status())}`)
    }
  }

  /** Opens a page of the admin at `path` below `/app`. */
  async visit(
    path: string,
    { language = "en", theme = "light", width = 1440, height = HEIGHT }: Look = {}
  ): Promise<Page> {
    const context = this.opened()
    const page = await context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.setViewportSize({ width, height })
    // Where the admin keeps what a merchant chose in their profile.
    await context.addCookies([{ name: "lng", value: language, url: this.storeUrl }])
    await page.addInitScript({ content: `localStorage.setItem("medusa_admin_theme", "${theme}")` })
    await page.goto(`${this.storeUrl}/app${path}`)
    return page
  }

  private opened(): BrowserContext {
    if (this.context === undefined) {
      throw new Error("The merchant has not signed in")
    }
    return this.context
  }

  async closePages(): Promise<void> {
    const pages = this.context?.pages() ?? []
    await Promise.all(pages.map(async (page) => await page.close()))
  }

  async close(): Promise<void> {
    await this.closePages()
    await this.browser?.close()
  }
}

/** Waits until nothing changes its colours or its place any more. */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(
    "document.getAnimations().every((animation) => !(animation instanceof CSSTransition) || animation.playState === 'finished')"
  )
}

const AXE = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8")

// Core's own, without names yet: its data table's filter, sort and search, and the cross of its drawers.
const CORES_OWN = [
  "button[aria-haspopup='menu']:has(svg)",
  "div[role='img'].pointer-events-none",
  "[role='dialog'] > div:first-child button",
]

/** What is around `within` and has to be drawn aside. A table of ours may be, in a frame of its own. */
const drawnAside = (within: string): string => `(() => {
  const found = []
  for (let place = document.querySelector(${JSON.stringify(within)}); place !== null; place = place.parentElement) {
    if (place.scrollWidth > place.clientWidth) found.push(place.outerHTML.slice(0, 100))
  }
  return found
})()`

/** A small laptop's and a phone's. */
const NARROWER = [1280, 390]

/**
 * What keeps people from using our part of a page, not core's shell around it: what axe finds, and a page that has to be
 * drawn aside. As wide as the page is, and narrower.
 *
 * @param within a selector; the main area unless told
 * @returns width, rule and element of each serious or critical violation
 */
export async function accessibilityFaults(page: Page, within = "main"): Promise<string[]> {
  await page.evaluate(AXE)
  const { width, height } = page.viewportSize() ?? { width: 1440, height: HEIGHT }
  const faults: string[] = []
  for (const each of [width, ...NARROWER.filter((narrower) => narrower < width)]) {
    await page.setViewportSize({ width: each, height })
    faults.push(...(await faultsNow(page, within)).map((fault) => `${String(each)}: ${fault}`))
  }
  await page.setViewportSize({ width, height })
  return faults
}

async function faultsNow(page: Page, within: string): Promise<string[]> {
  // In between, colours have contrasts of their own.
  await untilStill(page)
  const context = JSON.stringify({ include: [within], exclude: CORES_OWN })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context})`)
  const aside = await page.evaluate<string[]>(drawnAside(within))
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
    .concat(aside.map((html) => `wider than its place: ${html}`))
}
