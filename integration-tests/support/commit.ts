import { execFileSync } from "node:child_process"

/** Where figures are stored: a file that was written there is no change of what is measured. */
const STORED = ["bench/results", "integration-tests/*/reports", "docs"]

/** What was measured: the commit's short name, with "+" when the tree held more than that. */
export function readCommit(): string {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd: __dirname, encoding: "utf8" }).trim()
  const stored = STORED.map((path) => `:(top,exclude)${path}`)
  const isChanged = git("status", "--porcelain", "--", ":/", ...stored) !== ""
  return `${git("rev-parse", "--short", "HEAD")}${isChanged ? "+" : ""}`
}
