const { execFileSync } = require("node:child_process")

/** Where figures are stored: a file that was written there is no change of what is measured. */
const STORED = ["bench/results", "integration-tests/deep-results.json", "scripts/reports", "docs"]

/** @type {(...args: string[]) => string} */
const git = (...args) => execFileSync("git", args, { cwd: __dirname, encoding: "utf8" }).trim()

/** What was measured: the commit's short name, with "+" when the tree held more than that. */
function readCommit() {
  const stored = STORED.map((path) => `:(top,exclude)${path}`)
  const isChanged = git("status", "--porcelain", "--", ":/", ...stored) !== ""
  return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`
}

module.exports = { readCommit }
