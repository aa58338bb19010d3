import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

import commit from "../integration-tests/support/commit.cjs"

/** The last runs, relative to the repository. The docs name these files. */
export const REPORTS = {
  deep: "integration-tests/deep-results.json",
  mutation: "scripts/reports/mutation.json",
  starters: "scripts/reports/starters.json",
  "install-matrix": "scripts/reports/install-matrix.json",
}

/** When and what was run. */
export function dayAndCommit() {
  return { day: new Date().toISOString().slice(0, 10), commit: commit.readCommit() }
}

/** Replaces the file only by a whole one: a disk that is full leaves the earlier results. */
export function storeReport(file, report) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(`${file}.part`, `${JSON.stringify(report, null, 2)}\n`)
  renameSync(`${file}.part`, file)
}
