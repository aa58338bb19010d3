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
    failedFiles: found(log, /^ ?FAIL +(?:\S+ +)?(\S+\.spec\.tsx?)\b/gm),
    failedTests: found(log, /^ {2}● (?!Console$)(.+)$/gm),
    lines: log.split("\n").filter((line) => line.trim() !== "" && !line.startsWith(INFO_LINE)),
  }
}

/** @type {(log: string, pattern: RegExp) => number} */
const sum = (log, pattern) =>
  [...log.matchAll(pattern)].reduce((total, [, count]) => total + Number(count), 0)
/** @type {(log: string, pattern: RegExp) => string[]} */
const found = (log, pattern) => [...new Set([...log.matchAll(pattern)].map(([, word = ""]) => word))]

module.exports = { readLog }
