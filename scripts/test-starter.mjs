/**
 * `npm run test:starter -- DIR`: takes the folder of a checked-out starter of Medusa's, installs it with its own package
 * manager, does what docs/storefront.md says, builds it against a store, and shoppers pay in a browser. The folder itself
 * stays as it is. `--report` stores the result: `npm run figures` puts it into docs/testing.md. Needs a build.
 *
 * @see https://github.com/medusajs/dtc-starter
 * @see https://github.com/medusajs/nextjs-starter-medusa
 */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"

import { npmCommand, runCommand } from "../examples/demo/commands.mjs"
import { listenForInterrupts } from "../examples/demo/interrupts.mjs"
import { ROOT } from "../examples/demo/paths.mjs"
import { step } from "../examples/demo/progress.mjs"
import { managerVersion, NPM, PNPM, YARN } from "./install-matrix/managers.mjs"
import { dayAndCommit, REPORTS, storeReport } from "./stored-report.mjs"
import { forgetNpmScript, pack } from "./tarball/npm.mjs"

const LEFT_OUT = new Set([".git", ".next", "node_modules"])
const JEST = ["jest", "--config", "integration-tests/starter/jest.config.js"]

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { report: { type: "boolean" } },
})
const [starter] = positionals
if (starter === undefined || !existsSync(join(starter, "package.json"))) {
  throw new Error("Name the folder of a checked-out starter: npm run test:starter -- ../dtc-starter")
}
const { signal } = listenForInterrupts()
forgetNpmScript()
const temporary = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-starter-"))
try {
  await testStarter(resolve(starter))
} catch (error) {
  process.stderr.write(`\n${error.message}\n`)
  process.exitCode = 1
} finally {
  rmSync(temporary, { recursive: true, force: true, maxRetries: 3 })
}

async function testStarter(source) {
  const began = Date.now()
  const folder = join(temporary, basename(source))
  cpSync(source, folder, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) })
  const shop = existsSync(join(folder, "apps/storefront")) ? join(folder, "apps/storefront") : folder
  const manager = managerOf(folder)
  await step("Install the starter", () => run(manager, ["install"], folder))
  await step("Install the storefront package", async () => {
    const vendor = join(shop, "vendor")
    mkdirSync(vendor)
    const tarball = basename(pack(join(ROOT, "packages/storefront"), vendor))
    await run(manager, [manager === NPM ? "install" : "add", `./vendor/${tarball}`], shop)
  })
  const recipe = readRecipe()
  writeFileSync(join(temporary, "recipe.patch"), recipe)
  // Outside of a repository, as a copy may be.
  const git = (...args) =>
    execFileSync("git", ["apply", ...args, join(temporary, "recipe.patch")], { cwd: shop })
  await step("Apply the recipe", async () => void git())
  const files = git("--numstat").toString().trim().split("\n")
  const lines = files.reduce((sum, line) => sum + Number(line.split("\t")[0]), 0)
  const env = { ...process.env, STARTER_FOLDER: shop, NODE_OPTIONS: "--experimental-vm-modules" }
  const results = join(temporary, "results.json")
  const [npm, ...args] = npmCommand(["exec", "--no", "--", ...JEST, "--json", "--outputFile", results])
  execFileSync(npm, args, { cwd: ROOT, env, stdio: ["ignore", "ignore", "inherit"] })
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], {
    cwd: source,
    encoding: "utf8",
  }).trim()
  const versionOf = (name) => readJson(join(shop, "node_modules", name, "package.json")).version
  const row = {
    name: basename(source),
    starterCommit: commit,
    kind: "shop",
    installed: {
      node: process.versions.node,
      [manager.name]: managerVersion(manager, temporary),
      react: versionOf("react"),
      next: versionOf("next"),
    },
    files: files.length,
    lines,
    scenarios: readJson(results).numPassedTests,
    seconds: Math.round((Date.now() - began) / 1000),
    ...dayAndCommit(),
  }
  process.stdout.write(`${JSON.stringify(row, null, 2)}\n`)
  if (values.report) {
    const file = join(ROOT, REPORTS.starters)
    const others = existsSync(file) ? readJson(file) : []
    storeReport(file, [...others.filter(({ name }) => name !== row.name), row])
  }
}

/** The change that docs/storefront.md prints. */
function readRecipe() {
  const guide = readFileSync(join(ROOT, "docs/storefront.md"), "utf8")
  const [, patch] = /^```diff\n([^]*?)^```$/m.exec(guide) ?? []
  if (patch === undefined) {
    throw new Error("docs/storefront.md prints no change of the starter any more")
  }
  return patch
}

/** @returns {import("./install-matrix/managers.mjs").Manager} the one that the starter names */
function managerOf(folder) {
  const { packageManager = "npm" } = readJson(join(folder, "package.json"))
  return [YARN, PNPM].find(({ name }) => packageManager.startsWith(name)) ?? NPM
}

function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}

async function run({ words }, args, cwd) {
  const env = {
    ...process.env,
    YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
    YARN_ENABLE_TELEMETRY: "0",
    // The version that is already there, and not another one from the registry.
    npm_config_manage_package_manager_versions: "false",
  }
  const log = join(temporary, `${args[0]}.log`)
  await runCommand({ name: args.join(" "), command: npmCommand([...words, ...args]), cwd, env, log, signal })
}
