import { existsSync, readFileSync } from "node:fs"
import { stripVTControlCharacters } from "node:util"

const TAIL_LINES = 40
const INFO_LINE = '{"level":"info"'

/**
 * @typedef {object} Result
 * @property {string} suite
 * @property {"passed" | "FAILED" | "TIME LIMIT" | "INTERRUPTED" | "NOT RUN"} result
 * @property {number} seconds
 * @property {number} passed tests, as jest counts them; 0 in a suite without jest, which counts as one
 * @property {number} failed
 * @property {string} log
 */

/**
 * Prints what every suite came to, and of those that failed what is needed to know why.
 *
 * @returns {boolean} whether something was run and all of it passed
 */
export function printReport(results) {
  const bad = results.filter(({ result }) => result !== "passed")
  print(`\n${row("suite", "result", "seconds", "passed", "failed")}`)
  for (const { suite, result, seconds, passed, failed } of results) {
    print(row(suite, result, seconds.toFixed(), passed, failed))
  }
  bad.forEach(printFailure)
  const good = results.filter(({ result }) => result === "passed")
  const passed = sum([...good.map((each) => each.passed || 1), ...bad.map((each) => each.passed)])
  print(`${passed} passed, ${sum(bad.map((each) => each.failed || 1))} failed`)
  return results.length > 0 && bad.length === 0
}

function sum(counts) {
  return counts.reduce((total, count) => total + count, 0)
}

function printFailure({ suite, result, log }) {
  print(`\n== ${suite}: ${result}`)
  if (result !== "NOT RUN" && existsSync(log)) {
    const { failedFiles, failedTests, lines } = readLog(log)
    failedFiles.forEach((file) => print(`FAILED ${file}`))
    failedTests.forEach((test) => print(`  ● ${test}`))
    print(`-- the end of ${log}\n${lines.slice(-TAIL_LINES).join("\n")}`)
  }
}

function row(...cells) {
  return cells.map((cell, column) => pad(String(cell), column)).join("  ")
}

const pad = (text, column) => (column < 2 ? text.padEnd(column === 0 ? 20 : 11) : text.padStart(7))

function print(text) {
  process.stdout.write(`${text}\n`)
}

/** What the log of a suite says, read from jest's own words. Of a suite without jest there are only lines. */
export function readLog(file) {
  const log = stripVTControlCharacters(readFileSync(file, "utf8"))
  return {
    isJest: /^Tests: /m.test(log),
    passed: total(log, /^Tests: .*?(\d+) passed/gm),
    failed: total(log, /^Tests: +(\d+) failed/gm),
    failedFiles: found(log, /^ ?FAIL +(?:\S+ +)?(\S+\.spec\.tsx?)\b/gm),
    failedTests: found(log, /^ {2}● (?!Console$)(.+)$/gm),
    lines: log.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(INFO_LINE)),
  }
}

const total = (log, pattern) => [...log.matchAll(pattern)].reduce((all, [, count]) => all + Number(count), 0)
const found = (log, pattern) => [...new Set([...log.matchAll(pattern)].map(([, word = ""]) => word))]
