const { stripVTControlCharacters } = require("node:util")

const INFO_LINE = '{"level":"info"'

/**
 * What the log of a suite says, read from jest's own words. Of a suite without jest there are only lines.
 *
 * @param {string} text
 */
function readLog(text) {
  const log = stripVTControlCharacters(text)
  return {
    passed: sum(log, /^Tests: .*?(\d+) passed/gm),
    failed: sum(log, /^Tests: +(\d+) failed/gm),
    passedFiles: found(log, /^ ?PASS +(?:\S+ +)?(\S+\.spec\.tsx?)\b/gm),
    failedFiles: found(log, /^ ?FAIL +(?:\S+ +)?(\S+\.spec\.tsx?)\b/gm),
    failedTests: found(log, /^ {2}● (?!Console$)(.+)$/gm),
    lines: log.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(INFO_LINE)),
  }
}

/**
 * @param {string[]} failedFiles of a suite
 * @param {string} again the log of their second run; a file that has no result there did not pass
 */
function classify(failedFiles, again) {
  const { passedFiles } = readLog(again)
  return failedFiles.map((file) => ({ file, verdict: passedFiles.includes(file) ? "FLAKY" : "FAILED" }))
}

/** @type {(log: string, pattern: RegExp) => number} */
const sum = (log, pattern) =>
  [...log.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
/** @type {(log: string, pattern: RegExp) => string[]} */
const found = (log, pattern) => [...new Set([...log.matchAll(pattern)].map(([, word = ""]) => word))]

module.exports = { classify, readLog }
