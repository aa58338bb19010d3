/**
 * `npm run test:install-matrix`: what the guides say is done in shops and stores as they are found, from the registry,
 * without a lock file and without flags that hide a conflict. A shop installs the storefront package and is built with
 * its types checked. A new Medusa store installs the plugin, is built, takes a payment and shows the plugin's pages in
 * its admin. With words, only those whose names hold one of them. `--medusa 2.22.0` takes that version in the stores.
 *
 * `npm run test:starter -- DIR` does it with a starter of Medusa's, in the folder DIR.
 *
 * `--report` stores the results of those that ran, with the versions that were really installed. Needs a build.
 */
import { mkdirSync, mkdtempSync } from "node:fs"
import { rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"

import { listenForInterrupts } from "../examples/demo/interrupts.mjs"
import { ROOT } from "../examples/demo/paths.mjs"
import { SHOPS, tryShop } from "./install-matrix/shops.mjs"
import { tryStarter } from "./install-matrix/starter.mjs"
import { STORES, tryStore } from "./install-matrix/stores.mjs"
import { forgetNpmScript, pack, readJson } from "./managers.mjs"
import { dayAndCommit, REPORTS, storeReport } from "./stored-report.mjs"

const STOREFRONT = "packages/storefront"
const MATRIX = [
  ...SHOPS.map((shop) => ({ ...shop, source: STOREFRONT, attempt: tryShop })),
  ...STORES.map((store) => ({ ...store, source: ".", attempt: tryStore })),
]
const { positionals: words, values } = parseArgs({
  allowPositionals: true,
  options: { report: { type: "boolean" }, medusa: { type: "string" }, starter: { type: "string" } },
})
if (values.report && values.medusa !== undefined) {
  throw new Error("--report stores results of the versions that are supported. Leave out --medusa.")
}
const { signal } = listenForInterrupts()
forgetNpmScript()
if (values.medusa !== undefined) {
  // It may be outside the range of our peer dependencies. No range takes the preview of a version.
  process.env["npm_config_legacy_peer_deps"] = "true"
}
const run = dayAndCommit()
const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-matrix-"))
const removals = []
const rows = []
try {
  for (const each of chosen()) {
    await judge(each)
  }
} finally {
  await Promise.all(removals)
  await remove(directory)
}
if (values.report) {
  const file = join(ROOT, REPORTS[values.starter === undefined ? "install-matrix" : "starters"])
  const others = readJson(file).filter(({ name }) => !rows.some((row) => row.name === name))
  storeReport(file, [...others, ...rows])
}
const working = rows.filter(({ result }) => result === "works")
process.stdout.write(`\n${working.length} of ${rows.length} work with the packages.\n`)
process.exitCode = rows.length > 0 && working.length === rows.length ? 0 : 1

function chosen() {
  if (values.starter !== undefined) {
    const folder = resolve(values.starter)
    return [{ name: basename(folder), folder, source: STOREFRONT, attempt: tryStarter }]
  }
  return MATRIX.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
}

async function judge({ name, source, attempt, ...project }) {
  const cwd = join(directory, name.replaceAll(/\W+/g, "-"))
  mkdirSync(cwd)
  process.stdout.write(`\n${name}\n`)
  const began = Date.now()
  let result = "works"
  let facts = { installed: {} }
  try {
    const tarball = pack(join(ROOT, source), cwd)
    facts = await attempt({ ...project, medusa: values.medusa }, { tarball, cwd, signal })
  } catch (error) {
    signal.throwIfAborted()
    result = "fails"
    process.stdout.write(`${error.message}\n`)
  } finally {
    // A store has a hundred thousand files: the next one does not wait until they are gone.
    removals.push(remove(cwd))
  }
  const seconds = Math.round((Date.now() - began) / 1000)
  const versions = Object.entries(facts.installed).map((pair) => pair.join(" "))
  process.stdout.write(`${[`${name}: ${result} (${seconds} s)`, ...versions].join("\n    ")}\n`)
  rows.push({ name, result, ...facts, seconds, ...run })
}

async function remove(folder) {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
