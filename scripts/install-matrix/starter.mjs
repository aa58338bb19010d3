import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"

import { npmCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { step } from "../../examples/demo/progress.mjs"
import { manage, managerVersion, NPM, PNPM, readJson, YARN } from "../managers.mjs"

const LEFT_OUT = new Set([".git", ".next", "node_modules"])
const JEST = ["jest", "--config", "integration-tests/starter/jest.config.js", "--json", "--outputFile"]

/**
 * Installs a copy of one of Medusa's starters with its own package manager, makes the change of the package, builds
 * it against a store, and lets shoppers pay in a browser.
 *
 * @param {{ folder: string }} starter the folder of a checked-out starter, which stays as it is
 * @returns {Promise<object>} the versions that were installed, and how much was changed and bought
 * @see https://github.com/medusajs/dtc-starter
 * @see https://github.com/medusajs/nextjs-starter-medusa
 */
export async function tryStarter({ folder: source }, { tarball, cwd, signal }) {
  const folder = join(cwd, basename(source))
  cpSync(source, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
  const [shop = folder] = [join(folder, "apps/storefront")].filter(existsSync)
  const { packageManager = "npm" } = readJson(join(folder, "package.json"))
  const manager = [YARN, PNPM].find(({ name }) => packageManager.startsWith(name)) ?? NPM
  // As shops are. Below the root of a repository git skips a change with git's own header, and does not say so.
  execFileSync("git", ["init", "--quiet"], { cwd: folder })
  const at = { log: join(cwd, "log"), signal }
  await step("Install the starter", () => manage(manager, ["install"], { ...at, cwd: folder }))
  await step("Install the storefront package", async () => {
    mkdirSync(join(shop, "vendor"))
    cpSync(tarball, join(shop, "vendor", basename(tarball)))
    await manage(manager, [manager.add, `./vendor/${basename(tarball)}`], { ...at, cwd: shop })
  })
  // npm installs the packages of a workspace at its root.
  const fromShop = createRequire(join(shop, "package.json"))
  const kit = dirname(fromShop.resolve("medusa-payment-crypto-storefront/package.json"))
  const changed = await step("Apply the recipe", async () => applyRecipe(shop, join(kit, "starter.patch")))
  const results = join(cwd, "results.json")
  const [npm, ...args] = npmCommand(["exec", "--no", "--", ...JEST, results])
  execFileSync(npm, args, {
    cwd: ROOT,
    env: { ...process.env, STARTER_FOLDER: shop, NODE_OPTIONS: "--experimental-vm-modules" },
    stdio: ["ignore", "ignore", "inherit"],
  })
  const versionOf = (name) => fromShop(`${name}/package.json`).version
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: source, encoding: "utf8" })
  return {
    installed: {
      node: process.versions.node,
      [manager.name]: managerVersion(manager, folder),
      react: versionOf("react"),
      next: versionOf("next"),
    },
    starterCommit: commit.trim(),
    ...changed,
    scenarios: readJson(results).numPassedTests,
  }
}

/** @param {string} patch the change, in the package that was installed */
function applyRecipe(shop, patch) {
  const git = (...args) => execFileSync("git", ["apply", ...args, patch], { cwd: shop, encoding: "utf8" })
  git()
  const files = git("--numstat").trim().split("\n")
  return { files: files.length, lines: files.reduce((sum, line) => sum + Number(line.split("\t")[0]), 0) }
}
