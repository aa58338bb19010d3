import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** The last runs that docs show, relative to the repository. `npm run figures` writes them into the pages. */
export const REPORTS = {
  mutation: "scripts/reports/mutation.json",
  "install-matrix": "scripts/reports/install-matrix.json",
}

/** When and what was run: the commit's short name, with "+" when the tree held more than that. */
export function dayAndCommit() {
  const commit = execFileSync("git", ["describe", "--always", "--dirty=+"], { encoding: "utf8" }).trim()
  return { day: new Date().toISOString().slice(0, 10), commit }
}

/**
 * @param {string} file
 * @param {unknown} report
 */
export function storeReport(file, report) {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
