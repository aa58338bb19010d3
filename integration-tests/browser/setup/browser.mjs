import { execFile } from "node:child_process"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { chromium } from "playwright-core"

import { cachedFolder } from "../../support/cached-folder.mjs"

const MODULES = fileURLToPath(new URL("../../../node_modules", import.meta.url))
const UNPACK = 'await (await import("@sparticuz/chromium")).default.executablePath()'
const SYSTEM_CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

// In addition to playwright's own, which allow no sandbox and no calls home.
const FLAGS = ["--disable-gpu", "--disable-quic"]

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
  const { version } = JSON.parse(readFileSync(join(MODULES, "@sparticuz/chromium/package.json"), "utf8"))
  const folder = await cachedFolder("chromium", version, unpack)
  const { default: packaged } = await import("@sparticuz/chromium")
  // A browser of one process ends with the first page that ends.
  const args = packaged.args.filter((flag) => flag !== "--single-process")
  const libraries = [join(folder, "al2023/lib"), process.env["LD_LIBRARY_PATH"]].filter(Boolean)
  const fonts = existsSync("/etc/fonts") ? {} : { FONTCONFIG_PATH: join(folder, "fonts") }
  return {
    executablePath: join(folder, "chromium"),
    args: [...args, ...FLAGS],
    env: { ...fonts, ...process.env, LD_LIBRARY_PATH: libraries.join(":") },
  }
}

/** The package writes to the temporary folder alone, and takes what lies there for whole. */
async function unpack(unfinished, folder) {
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", UNPACK], {
    cwd: MODULES,
    // Only where it believes to run on AWS does the package unpack libraries too.
    env: { ...process.env, TMPDIR: unfinished, AWS_EXECUTION_ENV: "AWS_Lambda_nodejs20.x" },
  })
  const fonts = join(unfinished, "fonts/fonts.conf")
  writeFileSync(fonts, readFileSync(fonts, "utf8").replaceAll("/tmp/", `${folder}/`))
}

/** One browser for all specs; each opens contexts of its own in it. */
export async function startBrowser() {
  return await chromium.launchServer({ ...(await findChromium()), headless: true })
}
