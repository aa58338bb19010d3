/**
 * Fails when an entry of integration-tests/quarantine.json is not complete, names no test that there is, is past its date,
 * or is a test of the invariants: money must not move on the word of a test that is not run.
 */
const { existsSync, readFileSync } = require("node:fs")
const { basename } = require("node:path")

const FIELDS = ["file", "test", "reason", "until"]
const MOST_DAYS = 14
const DAY_MS = 24 * 60 * 60_000
/** The HTTP specs of what an admin user reads or sets, and of floods. Every other one is about money. */
const NOT_OF_MONEY = ["admin", "load", "permissions", "settings"]
  .flatMap((group) => [
    ...readFileSync(`integration-tests/deep/${group}.spec.ts`, "utf8").matchAll(/http\/(\S+)\.spec/g),
  ])
  .map(([, name]) => name)
/** What decides about money, and files that only import others. */
const ALWAYS_RUN =
  /^(src\/(decision|gateway|modules|providers|workflows)|integration-tests\/(cluster|gate|deep))\//

/**
 * @param {Record<string, string>} entry
 * @param {Date} now
 * @param {(file: string) => string | undefined} readSource
 * @returns {string | undefined} what is wrong with it
 */
function problemOf(entry, now, readSource) {
  const missing = FIELDS.filter((field) => typeof entry[field] !== "string" || entry[field] === "")
  if (missing.length > 0) {
    return `has no ${missing.join(", ")}`
  }
  const { file = "", test = "", until = "" } = entry
  const source = readSource(file)
  // As the source has it, `%s` of a table included. A title that is put together cannot be known by its words.
  if (source === undefined || !(source.includes(`"${test}"`) || source.includes(`'${test}'`))) {
    return source === undefined ? "names a file that is not there" : "names a test that is not in its file"
  }
  const name = basename(file, ".spec.ts")
  const isOfMoney = file.startsWith("integration-tests/http/") && !NOT_OF_MONEY.includes(name)
  if (isOfMoney || ALWAYS_RUN.test(file)) {
    return "is a test of the invariants, which are always run"
  }
  const daysLeft = (Date.parse(until) - Date.parse(now.toISOString().slice(0, 10))) / DAY_MS
  if (!/^\d{4}-\d\d-\d\d$/.test(until) || !(daysLeft >= 0 && daysLeft <= MOST_DAYS)) {
    return `must end on a day (YYYY-MM-DD) from today to ${MOST_DAYS} days ahead, not ${until}`
  }
  return undefined
}

if (require.main === module) {
  const entries = JSON.parse(readFileSync("integration-tests/quarantine.json", "utf8"))
  const read = (file) => (existsSync(file) ? readFileSync(file, "utf8") : undefined)
  for (const entry of entries) {
    const problem = problemOf(entry, new Date(), read)
    if (problem !== undefined) {
      process.stderr.write(`integration-tests/quarantine.json: ${JSON.stringify(entry)} ${problem}.\n`)
      process.exitCode = 1
    }
  }
}

module.exports = { problemOf }
