import { existsSync, readFileSync } from "node:fs"
import { stripVTControlCharacters } from "node:util"

const TAIL_LINES = 40
const INFO_LINE = '{"level":"info"'

/**
 * @typedef {object} Result
 * @property {string} suite
 * @property {"passed" | "FAILED" | "TIME LIMIT" | "NOT RUN"} result
 * @property {number} seconds
 * @property {number} passed tests, as jest counts them; 0 in a suite without jest, which counts as one
 * @property {number} failed
 * @property {string} log
 */

/**
 * Prints what every suite came to, and of those that failed what is needed to know why.
 *
 * @param {Result[]} results
 * @returns {boolean} whether something was run and all of it passed
 */
export function printReport(results) {
  const bad = results.filter(({ result }) => result !== "passed")
  print(`\n${row("suite", "result", "seconds", "passed", "failed")}`)
  results.forEach((each) =>
    print(row(each.suite, each.result, each.seconds.toFixed(), each.passed, each.failed))
  )
  bad.forEach(printFailure)
  const passed = results.map((each) => each.passed || Number(each.result === "passed"))
  print(`${sum(passed)} passed, ${sum(bad.map((each) => each.failed || 1))} failed`)
  return results.length > 0 && bad.length === 0
}

function printFailure({ suite, result, log }) {
  print(`\n== ${suite}: ${result}`)
  if (result !== "NOT RUN" && existsSync(log)) {
    const { failures, lines } = readLog(log)
    print([...failures, `-- the end of ${log}`, ...lines.slice(-TAIL_LINES)].join("\n"))
  }
}

function row(suite, result, ...counts) {
  return [suite.padEnd(20), result.padEnd(11), ...counts.map((count) => String(count).padStart(7))].join("  ")
}

function print(text) {
  process.stdout.write(`${text}\n`)
}

/** What the log of a suite says, read from jest's own words. Of a suite without jest there are only lines. */
export function readLog(file) {
  const log = stripVTControlCharacters(readFileSync(file, "utf8"))
  const total = (pattern) => sum([...log.matchAll(pattern)].map(([, count]) => Number(count)))
  const found = (pattern, mark) => [...log.matchAll(pattern)].map(([, words]) => `${mark} ${words}`)
  return {
    isJest: /^Tests: /m.test(log),
    passed: total(/^Tests: .*?(\d+) passed/gm),
    failed: total(/^Tests: +(\d+) failed/gm),
    failures: new Set([
      ...found(/^ ?FAIL +(?:\S+ +)?(\S+\.spec\.tsx?)\b/gm, "FAILED"),
      ...found(/^ {2}● (?!Console$)(.+)$/gm, "  ●"),
    ]),
    lines: log.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(INFO_LINE)),
  }
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}
