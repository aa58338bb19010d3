/**
 * `node scripts/run-suites.mjs SET [suite ...]` runs the suites of a set of scripts/suites.mjs, or those named, one by
 * one; in a whole set, some run at the same time as another. `--report SET ...` prints the stored results of several
 * sets as one report.
 *
 * Each suite writes to reports/logs/<suite>.log, and ends when this process ends. A run of `deep` chooses the random
 * values of the fuzz and of the property tests; SEED repeats those of an earlier run.
 */
import { randomInt } from "node:crypto"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

import { buildPlugin } from "../examples/demo/builds.mjs"
import { takeLock } from "../examples/demo/lock.mjs"
import { keep } from "../integration-tests/support/keep.mjs"
import { dayAndCommit, REPORTS, storeReport } from "./stored-report.mjs"
import { printReport, readLog } from "./suite-report.mjs"
import { SUITES } from "./suites.mjs"

process.chdir(fileURLToPath(new URL("..", import.meta.url)))
const LOCK = "reports/suites.lock"
const BUILT_WITHIN_MS = 10 * 60_000

const [set = "", ...names] = process.argv.slice(2)
const SEED = process.env["SEED"] ?? String(randomInt(2 ** 31))
const SEEDS = { FUZZ_SEED: SEED, ROUTE_FUZZ_SEED: SEED, FC_SEED: SEED, WALK_SEED: SEED }
const env = { ...process.env, ...(set === "deep" ? SEEDS : {}) }
process.exitCode = (set === "--report" ? report(names) : await runSet()) ? 0 : 1

async function runSet() {
  const suites = chooseSuites()
  // Two runs would build into the same folders.
  const underWay = (pid) =>
    new Error(
      `Another run of the suites is under way in this checkout, as process ${pid}. Wait for it or end it. ` +
        `If that process is something else, delete ${LOCK}`
    )
  process.once("exit", takeLock(LOCK, "run-suites", underWay))
  mkdirSync("reports/logs", { recursive: true })
  const ofDeep = set === "deep" ? dayAndCommit() : undefined
  if (ofDeep !== undefined) {
    say(`seed ${SEED}`)
  }
  if (!suites.some(({ name }) => name === "build") && suites.some(({ worksUnbuilt }) => !worksUnbuilt)) {
    say(`${time()} the plugin is built if its sources have changed`)
    await buildPlugin(AbortSignal.timeout(BUILT_WITHIN_MS))
  }
  const results = suites.map(({ name }) => notRun(name))
  const run = async (suite) => {
    const isBuilt = results.every(({ suite: name, result }) => name !== "build" || result === "passed")
    if (isBuilt || suite.worksUnbuilt) {
      results[suites.indexOf(suite)] = await runSuite(suite)
    }
    storeReport(`reports/suites-${set}.json`, results)
    if (ofDeep !== undefined) {
      storeDeep(results, ofDeep)
    }
  }
  // Suites that are named may have to build the store, and two at once would build into the same folder.
  const waits = ({ alongside }) => names.length === 0 && alongside !== undefined
  for (const suite of suites.filter((each) => !waits(each))) {
    const others = suites.filter((each) => waits(each) && each.alongside === suite.name)
    await Promise.all([
      run(suite),
      others.reduce((before, other) => before.then(() => run(other)), Promise.resolve()),
    ])
  }
  return printReport(results)
}

/** @throws with the names there are */
function chooseSuites() {
  const all = SUITES[set] ?? []
  const unknown = names.filter((name) => !all.some((suite) => suite.name === name))
  if (all.length === 0 || unknown.length > 0) {
    const known = Object.entries(SUITES).map(
      ([of, suites]) => `\n  ${of}: ${suites.map(({ name }) => name).join(", ")}`
    )
    throw new Error(`There is no ${unknown.join(", ") || `set "${set}"`}. There are:${known.join("")}`)
  }
  return names.length === 0 ? all : all.filter(({ name }) => names.includes(name))
}

async function runSuite({ name, run, limitS }) {
  const log = logOf(name)
  const begun = Date.now()
  say(`${time()} ${name}: ${run}`)
  writeFileSync(log, "")
  // The shell outlives a SIGTERM until its commands have ended; what is left of its group then goes with it.
  const script = `trap : TERM; { ${run}; } >"$0" 2>&1; exit $?`
  const kept = keep({ commands: [["sh", "-c", script, log]], env })
  let isLate = false
  const limit = setTimeout(() => {
    isLate = true
    void kept.stop()
  }, limitS * 1000)
  const { code } = await kept.ended
  clearTimeout(limit)
  const { isJest, passed, failed } = readLog(log)
  const isGood = code === 0 && !(isJest && passed === 0)
  const result = isLate ? "TIME LIMIT" : isGood ? "passed" : "FAILED"
  const seconds = (Date.now() - begun) / 1000
  say(`${time()} ${name}: ${result}, ${seconds.toFixed()} s`)
  return { suite: name, result, seconds, passed, failed, log }
}

function report(sets) {
  const results = sets.flatMap((name) => {
    const file = `reports/suites-${name}.json`
    return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : [notRun(name)]
  })
  return printReport(results)
}

function notRun(suite) {
  return { suite, result: "NOT RUN", seconds: 0, passed: 0, failed: 0, log: logOf(suite) }
}

/** The last result of each suite. */
function storeDeep(results, { day: date, commit }) {
  const stored = JSON.parse(readFileSync(REPORTS.deep, "utf8"))
  for (const { suite, result, seconds, passed, failed } of results) {
    if (result !== "NOT RUN") {
      const tests = passed + failed > 0 ? { passed, failed } : {}
      stored[suite] = { date, commit, seconds: Math.round(seconds), result, ...tests }
    }
  }
  storeReport(REPORTS.deep, stored)
}

function logOf(name) {
  return `reports/logs/${name}.log`
}

function time() {
  return new Date().toISOString().slice(11, 19)
}

function say(text) {
  process.stdout.write(`${text}\n`)
}
