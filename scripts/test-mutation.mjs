/**
 * `npm run test:mutation`: breaks the rooms that decide about money in every small way, and lets the unit tests find out.
 * In parts, each against the specs that are about it, because a mutant costs as much as the specs that are loaded for
 * it; `npm run test:mutation -- decision` takes those parts whose name begins so. The last result of each part is
 * stored: docs/internals/mutation-testing.md shows them.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync, rmSync } from "node:fs"

import { dayAndCommit, REPORTS, storeReport } from "./stored-report.mjs"

const STRYKER = "node_modules/@stryker-mutator/core/bin/stryker.js"
const REPORT = "reports/mutation.json"
const STORED = REPORTS.mutation
// Before the first part is stored, which changes the tree.
const RUN = dayAndCommit()
const FOUND = ["Killed", "Timeout"]
const MISSED = ["Survived", "NoCoverage"]

/** Of `src`: what is broken, and the specs that have to notice. */
const PARTS = [
  { name: "decision", files: "decision/*", specs: "decision/*" },
  {
    name: "settle loop",
    files: "workflows/{settle,settle-worker}",
    specs: "{workflows/{settle,settle-unchanged,settle-worker},decision/decide-turn}",
  },
  { name: "provider", files: "providers/crypto/*", specs: "providers/crypto/*" },
  {
    name: "gateway: hashes",
    files: "gateway/{approval-hash,notification}",
    specs: "gateway/{approval-hash*,notification}",
  },
  {
    name: "gateway: what it answers",
    files: "gateway/{wire,payment-request,envelope,display-fields,plain-decimal}",
    specs: "gateway/{schemas,mapping.property,envelope,notification,client*,tolerant-reading*}",
  },
  { name: "gateway: errors", files: "gateway/errors", specs: "gateway/{errors,envelope,client*,transport*}" },
  { name: "gateway: lists", files: "gateway/walk-list", specs: "gateway/walk-list" },
  {
    name: "gateway: who it is",
    files: "gateway/{auth,base-url,payment-link}",
    specs: "gateway/{auth,base-url,payment-link}",
  },
  {
    name: "gateway: calls",
    files: "gateway/{client,transport,pools}",
    specs: "gateway/{client*,envelope,mapping.property,outgoing-proxy,transport*,auth}",
  },
]

const [wanted = ""] = process.argv.slice(2)
const chosen = PARTS.filter(({ name }) => name.startsWith(wanted))
if (chosen.length === 0) {
  throw new Error(`No part's name begins with "${wanted}": ${PARTS.map(({ name }) => name).join(", ")}`)
}
for (const { name, files, specs } of chosen) {
  process.stdout.write(`\n== ${name}\n`)
  rmSync(REPORT, { force: true })
  const env = {
    ...process.env,
    MUTATION_FILES: `src/${files}.ts`,
    MUTATION_SPECS: `src/${specs}.unit.spec.ts`,
  }
  const { status } = spawnSync(process.execPath, [STRYKER, "run"], { stdio: "inherit", env })
  // A mutant that does not compile, or ends its process, says nothing about the tests, and is in neither list.
  const mutants = readMutants()
  const found = mutants.filter((mutant) => FOUND.includes(mutant.status)).length
  const survived = mutants.filter((mutant) => MISSED.includes(mutant.status)).map(({ text }) => text)
  const count = found + survived.length
  const parts = existsSync(STORED) ? JSON.parse(readFileSync(STORED, "utf8")) : {}
  parts[name] = { ...RUN, mutants: count, found, survived }
  storeReport(STORED, parts)
  process.stdout.write([`${name}: ${found} of ${count} were found`, ...survived, ""].join("\n"))
  // Stryker fails below the limit in its config.
  if (status !== 0 || count === 0) {
    process.exitCode = 1
  }
}

function readMutants() {
  const { files } = JSON.parse(readFileSync(REPORT, "utf8"))
  return Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.map(({ status, mutatorName, replacement, location: { start } }) => ({
      status,
      text: `${file}:${start.line}:${start.column} ${mutatorName} => ${String(replacement).replaceAll(/\s+/g, " ").slice(0, 80)}`,
    }))
  )
}
