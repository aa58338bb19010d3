/**
 * `npm run test:install-matrix`: what the guides say is done in shops and stores as they are found, from the registry,
 * without a lock file and without flags that hide a conflict. A shop installs the storefront package and is built with
 * its types checked. A new Medusa store installs the plugin, is built, takes a payment and shows the plugin's pages in
 * its admin. With words, only those whose names hold one of them.
 *
 * `--report` stores the results of those that ran, with the versions that were really installed: `npm run figures`
 * puts them into docs/internals/tests.md and the README. Needs a build.
 */
import { mkdirSync, mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

import { listenForInterrupts } from "../examples/demo/interrupts.mjs"
import { ROOT } from "../examples/demo/paths.mjs"
import { SHOPS } from "./install-matrix/shops.mjs"
import { storeRows } from "./install-matrix/report.mjs"
import { tryShop } from "./install-matrix/try-shop.mjs"
import { STORES, tryStore } from "./install-matrix/try-store.mjs"
import { dayAndCommit } from "./stored-report.mjs"
import { forgetNpmScript, pack } from "./tarball/npm.mjs"
import { packTarball } from "./tarball/pack.mjs"

const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: { report: { type: "boolean" } },
})
const isWanted = ({ name }) => words.length === 0 || words.some((word) => name.includes(word))
const shops = SHOPS.filter(isWanted)
const stores = STORES.filter(isWanted)
const { signal } = listenForInterrupts()
forgetNpmScript()
const run = dayAndCommit()
const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-matrix-"))
const rows = []
const removals = []
try {
  if (shops.length > 0) {
    const tarball = pack(join(ROOT, "packages/storefront"), directory)
    for (const shop of shops) {
      await judge("shop", shop.name, "builds", (cwd) => tryShop(shop, { tarball, cwd, signal }))
    }
  }
  if (stores.length > 0) {
    const tarball = await packTarball({ directory, signal })
    for (const store of stores) {
      await judge("store", store.name, "takes a payment", (folder) =>
        tryStore(store, { tarball, directory: folder, signal })
      )
    }
  }
} finally {
  await Promise.all(removals)
  await remove(directory)
}
if (values.report) {
  storeRows(rows, [...SHOPS, ...STORES])
}
const failed = rows.filter(({ result }) => result === "fails").length
process.stdout.write(
  `\n${String(rows.length - failed)} of ${String(rows.length)} shops and stores work with the packages.\n`
)
if (rows.length === 0) {
  process.stderr.write(`No name holds ${words.join(" or ")}. There are:\n`)
  process.stderr.write([...SHOPS, ...STORES].map(({ name }) => `  ${name}\n`).join(""))
}
process.exitCode = failed > 0 || rows.length === 0 ? 1 : 0

/** @param {string} success in words */
async function judge(kind, name, success, attempt) {
  const folder = join(directory, name.replaceAll(/\W+/g, "-"))
  mkdirSync(folder)
  const began = Date.now()
  let result = success
  let installed = {}
  let why = ""
  try {
    installed = await attempt(folder)
  } catch (error) {
    signal.throwIfAborted()
    result = "fails"
    why = `\n${error.message}`
  } finally {
    // A store has a hundred thousand files: the next one does not wait until they are gone.
    removals.push(remove(folder))
  }
  const seconds = Math.round((Date.now() - began) / 1000)
  const versions = Object.entries(installed).map((pair) => pair.join(" "))
  process.stdout.write(`${[`${name}: ${result} (${String(seconds)} s)`, ...versions].join("\n    ")}${why}\n`)
  rows.push({ name, kind, result, installed, seconds, ...run })
}

async function remove(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
