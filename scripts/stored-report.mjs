import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

import { ROOT } from "../examples/demo/paths.mjs"

/** The last runs, relative to the repository. The docs name these files. */
export const REPORTS = {
  deep: "integration-tests/deep-results.json",
  mutation: "scripts/reports/mutation.json",
  starters: "scripts/reports/starters.json",
  "install-matrix": "scripts/reports/install-matrix.json",
}

/** When and what was run: the commit's short name, with "+" when anything but stored reports was changed. */
export function dayAndCommit() {
  const git = (...args) => execFileSync("git", args, { cwd: ROOT, encoding: "utf8" }).trim()
  const stored = Object.values(REPORTS).map((path) => `:(top,exclude)${path}`)
  const changed = git("status", "--porcelain", "--", ":/", ...stored)
  const commit = `${git("rev-parse", "--short", "HEAD")}${changed === "" ? "" : "+"}`
  return { day: new Date().toISOString().slice(0, 10), commit }
}

/** Replaces the file only by a whole one: a disk that is full leaves the earlier results. */
export function storeReport(file, report) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, `${JSON.stringify(report, null, 2)}\n`)
  renameSync(`${file}.part`, file)
}
