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
  return await unpackChromium()
}

/** Chromium as `@sparticuz/chromium` brings it, with the libraries that a bare system lacks. */
async function unpackChromium() {
  const before = { ...process.env }
  // Only where it believes to run on AWS does the package unpack libraries and fonts too, and say where they are.
  process.env["AWS_EXECUTION_ENV"] = "AWS_Lambda_nodejs20.x"
  try {
    const { default: packaged } = await import("@sparticuz/chromium")
    const executablePath = await packaged.executablePath()
    const { LD_LIBRARY_PATH, FONTCONFIG_PATH } = process.env
    // A browser of one process ends with the first page that ends.
    const args = packaged.args.filter((flag) => flag !== "--single-process")
    const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH }
    return { executablePath, args: [...args, ...FLAGS], env: { ...before, LD_LIBRARY_PATH, ...fonts } }
  } finally {
    // For the browser alone.
    for (const name of ["AWS_EXECUTION_ENV", "LD_LIBRARY_PATH", "FONTCONFIG_PATH"]) {
      if (before[name] === undefined) {
        Reflect.deleteProperty(process.env, name)
      } else {
        process.env[name] = before[name]
      }
    }
  }
}

/** One browser for all specs; each opens contexts of its own in it. */
export async function startBrowser() {
  return await chromium.launchServer({ ...(await findChromium()), headless: true })
}
