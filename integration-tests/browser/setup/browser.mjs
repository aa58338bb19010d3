import { existsSync } from "node:fs"
import { chromium } from "playwright-core"

const SYSTEM_CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

// No sandbox of its own (it may run as root, or in a container) and no calls home.
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
]

/** CHROMIUM_PATH, else the system's, else the one that an npm package brings. */
async function findChromium() {
  const installed = process.env["CHROMIUM_PATH"] || SYSTEM_CHROMIUM.find((path) => existsSync(path))
  if (installed) {
    return { executablePath: installed, args: FLAGS }
  }
  const { default: packaged } = await import("@sparticuz/chromium")
  return { executablePath: await packaged.executablePath(), args: [...packaged.args, ...FLAGS] }
}

/** One browser for all specs; each opens contexts of its own in it. */
export async function startBrowser() {
  return await chromium.launchServer({ ...(await findChromium()), headless: true })
}
