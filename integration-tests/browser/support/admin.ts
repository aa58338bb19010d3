import { readFileSync } from "node:fs"
import { buffer } from "node:stream/consumers"
import type { AxeResults } from "axe-core"
import { type Browser, type BrowserContext, chromium, type Locator, type Page } from "playwright-core"
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
  private browser!: Browser
  private context!: BrowserContext

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
  async visit(path: string, { language = "en", theme = "light", width = 1440, height = HEIGHT }: Look = {}) {
    const page = await this.context.newPage()
    page.setDefaultTimeout(PATIENCE_MS)
    await page.setViewportSize({ width, height })
    // Where the admin keeps what a merchant chose in their profile.
    await this.context.addCookies([{ name: "lng", value: language, url: this.storeUrl }])
    await page.addInitScript({ content: `localStorage.setItem("medusa_admin_theme", "${theme}")` })
    await page.goto(`${this.storeUrl}/app${path}`)
    return page
  }

  async closePages(): Promise<void> {
    await Promise.all(this.context.pages().map(async (page) => await page.close()))
  }

  async close(): Promise<void> {
    await this.browser.close()
  }
}

/** Holds back the page's requests to these addresses. @returns lets them go */
export async function holdBack(page: Page, address: string | RegExp): Promise<() => void> {
  let letGo: () => void = () => undefined
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route(address, async (route) => {
    await held
    await route.continue()
  })
  return letGo
}

/** Whether an element has the keyboard's focus. */
export const hasFocus = async (target: Locator): Promise<boolean> =>
  await target.evaluate((element) => element === element.ownerDocument.activeElement)

/** How far from the right edge of its box an element's text ends. */
export const gapAtRight = async (target: Locator): Promise<number> =>
  await target.evaluate((shown) => {
    const range = shown.ownerDocument.createRange()
    range.selectNodeContents(shown)
    return Math.round(shown.getBoundingClientRect().right - range.getBoundingClientRect().right)
  })

/** By how much a scrolling area is wider than what of it is seen. */
export const hiddenWidth = async (area: Locator): Promise<number> =>
  await area.evaluate((shown) => shown.scrollWidth - shown.clientWidth)

/** Presses a button that saves a file. @returns what is in it */
export async function saved(page: Page, button: string): Promise<string> {
  const download = page.waitForEvent("download")
  await page.getByRole("button", { name: button }).click()
  // As text it would lose its byte order mark.
  return (await buffer(await (await download).createReadStream())).toString("utf8")
}

/** Chooses an action that is in the last menu of this part of a page, in the language of the page. */
export async function choose(within: Locator, name: string, more = "More actions"): Promise<void> {
  await within.getByRole("button", { name: more }).last().click()
  await within.page().getByRole("menuitem", { name, exact: true }).click()
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

/** A phone's. */
const NARROW = 390

/**
 * What axe finds that keeps people from using our part of a page, not core's shell around it, as wide as it is and on a
 * phone.
 *
 * @param within a selector; the main area unless told
 * @returns rule and element of each serious or critical violation
 */
export async function accessibilityFaults(page: Page, within = "main"): Promise<string[]> {
  await page.evaluate(AXE)
  const faults = await faultsNow(page, within)
  const { width, height } = page.viewportSize() ?? { width: NARROW, height: HEIGHT }
  await page.setViewportSize({ width: NARROW, height })
  const narrow = await faultsNow(page, within)
  await page.setViewportSize({ width, height })
  return [...faults, ...narrow.map((fault) => `narrow: ${fault}`)]
}

async function faultsNow(page: Page, within: string): Promise<string[]> {
  // In between, colours have contrasts of their own.
  await untilStill(page)
  const context = JSON.stringify({ include: [within], exclude: CORES_OWN })
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${context})`)
  return violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`))
}
