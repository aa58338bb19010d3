/**
 * `npm run test:mutation`: breaks the rooms that decide about money in every small way, and lets the unit tests find out.
 * In parts, each against the specs that are about it, because a mutant costs as much as the specs that are loaded for
 * it; `npm run test:mutation -- decision` takes those parts whose name begins so, and
 * `-- src/gateway/transport.ts` one file, against the specs next to it. The last result of each part is stored:
 * docs/internals/mutation-testing.md shows them.
 */
import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"

import { dayAndCommit, REPORTS, storeReport } from "./stored-report.mjs"

const STRYKER = "node_modules/@stryker-mutator/core/bin/stryker.js"
const REPORT = "reports/mutation.json"
const STORED = REPORTS.mutation
const LEAST_SCORE = 90
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
    files: "gateway/{wire,payment-request,envelope,display-fields,plain-decimal,decode-body}",
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
    specs: "gateway/{client*,envelope,mapping.property,outgoing-proxy,transport*,auth,retry}",
  },
]

const [wanted = ""] = process.argv.slice(2)
const [, file] = /^src\/(.+)\.ts$/.exec(wanted) ?? []
const chosen =
  file === undefined
    ? PARTS.filter(({ name }) => name.startsWith(wanted))
    : [{ name: wanted, files: file, specs: `${file}*` }]
if (chosen.length === 0) {
  const names = PARTS.map(({ name }) => `  ${name}`).join("\n")
  process.stderr.write(`No part's name begins with "${wanted}". There are:\n${names}\n`)
  process.exit(1)
}
for (const { files } of chosen) {
  const [, folder = "", names = ""] = /^(.*)\{(.*)\}$/.exec(files) ?? []
  const gone = names.split(",").filter((name) => name !== "" && !existsSync(`src/${folder}${name}.ts`))
  if (gone.length > 0) {
    throw new Error(`There is no ${gone.join(", ")} in src/${folder} any more.`)
  }
}
const mutants = []
for (const { name, files, specs } of chosen) {
  process.stdout.write(`\n== ${name}\n`)
  const env = {
    ...process.env,
    MUTATION_FILES: `src/${files}.ts`,
    MUTATION_SPECS: `src/${specs}.unit.spec.ts`,
  }
  const { status } = spawnSync(process.execPath, [STRYKER, "run"], { stdio: "inherit", env })
  if (status !== 0) {
    throw new Error(`Stryker ended with ${String(status)}.`)
  }
  mutants.push(...readMutants(name))
  if (file === undefined) {
    store(name)
  }
}

const score = percentFound(mutants)
process.stdout.write("\n")
for (const { name } of chosen) {
  const own = mutants.filter(({ part }) => part === name)
  if (own.length > 0) {
    process.stdout.write(`${name}: ${percentFound(own).toFixed(2)} % of ${String(own.length)}\n`)
  }
}
for (const { place, status, change } of mutants.filter((mutant) => MISSED.includes(mutant.status))) {
  process.stdout.write(`${status} ${place} ${change}\n`)
}
process.stdout.write(
  `${score.toFixed(2)} % of ${String(mutants.length)} mutants were found; ${LEAST_SCORE} have to be.\n`
)
// Of no mutant at all the score is not a number, which is not enough either.
process.exitCode = score >= LEAST_SCORE ? 0 : 1

function store(part) {
  const own = mutants.filter((mutant) => mutant.part === part)
  const parts = existsSync(STORED) ? JSON.parse(readFileSync(STORED, "utf8")) : {}
  parts[part] = {
    ...RUN,
    mutants: counted(own).length,
    found: found(own).length,
    survived: own
      .filter(({ status }) => MISSED.includes(status))
      .map(({ place, change }) => `${place} ${change}`),
  }
  storeReport(STORED, parts)
}

function readMutants(part) {
  const { files } = JSON.parse(readFileSync(REPORT, "utf8"))
  return Object.entries(files).flatMap(([file, { mutants: made }]) =>
    made.map(({ status, mutatorName, replacement, location: { start } }) => ({
      part,
      place: `${file}:${String(start.line)}:${String(start.column)}`,
      status,
      change: `${mutatorName} => ${String(replacement).replaceAll(/\s+/g, " ").slice(0, 80)}`,
    }))
  )
}

/** Those that could be run: a mutant that does not compile, or ends its process, says nothing about the tests. */
function counted(among) {
  return among.filter(({ status }) => [...FOUND, ...MISSED].includes(status))
}

function found(among) {
  return among.filter(({ status }) => FOUND.includes(status))
}

function percentFound(among) {
  return (100 * found(among).length) / counted(among).length
}
