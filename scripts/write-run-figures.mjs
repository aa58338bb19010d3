/**
 * Writes the figures of stored runs into the docs, each between its two marks, so that no figure there is typed by
 * hand: of the deep suites, the install matrix, the mutation test and the benchmarks. With --check it only compares,
 * and fails when a page says something else than the stored runs, and when a row of the install matrix failed or is
 * not stored.
 */
import { readFileSync } from "node:fs"

import { writeOrCheck } from "./format.mjs"
import { PROGRAMS, SHOPS } from "./install-matrix/projects.mjs"
import { STORES } from "./install-matrix/stores.mjs"
import { readJson } from "./managers.mjs"
import { bench, TABLES } from "./run-tables.mjs"
import { REPORTS } from "./stored-report.mjs"

const PAGES = [
  "README.md",
  ...["testing", "performance", "internals/tests", "internals/mutation-testing"].map(
    (name) => `docs/${name}.md`
  ),
]
const MARKED = /(<!-- (runs|bench): ([\w-]+) -->\n)[^]*?(<!-- end -->)/g

for (const page of PAGES) {
  const filled = readFileSync(page, "utf8").replace(MARKED, (_, begin, kind, name, end) => {
    return `${begin}\n${kind === "bench" ? bench(name) : TABLES[name]()}\n\n${end}`
  })
  writeOrCheck(page, filled, "npm run figures")
}
const works = readJson(REPORTS["install-matrix"]).filter(({ result }) => result !== "fails")
const names = [...SHOPS, ...PROGRAMS, ...STORES].map(({ name }) => name)
const unproven = names.filter((name) => !works.some((row) => row.name === name))
if (process.argv.includes("--check") && unproven.length > 0) {
  process.stderr.write(
    `Failed or not stored: ${unproven.join("; ")}. Run npm run test:install-matrix -- --report\n`
  )
  process.exitCode = 1
}
