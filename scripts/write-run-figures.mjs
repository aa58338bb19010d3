/**
 * Writes the figures of stored runs into the docs, each between its two marks, so that no figure there is typed by hand:
 * of the deep suites, the install matrix, the mutation test and the benchmarks. With --check it only compares, and fails
 * when a page says something else than the stored runs, and when a row of the install matrix failed or is not stored.
 */
import { readFileSync, writeFileSync } from "node:fs"

import { format } from "./format.mjs"
import { unprovenNames } from "./install-matrix/report.mjs"
import { SHOPS } from "./install-matrix/shops.mjs"
import { STORES } from "./install-matrix/try-store.mjs"
import { versionsTable } from "./install-matrix/versions.mjs"
import { REPORTS } from "./stored-report.mjs"

const PAGES = [
  "README.md",
  "docs/testing.md",
  "docs/performance.md",
  "docs/internals/tests.md",
  "docs/internals/mutation-testing.md",
]
const MARKED = /(<!-- (runs|bench): ([\w-]+) -->\n)[^]*?(<!-- end -->)/g
/** By the name in the mark. */
const TABLES = {
  deep: () => deep(read(REPORTS.deep)),
  mutation: () => mutation(read(REPORTS.mutation)),
  "install-matrix": () => installMatrix(read(REPORTS["install-matrix"])),
  versions: () => table(versionsTable([REPORTS["install-matrix"], REPORTS.starters].flatMap(read)), "---"),
  starters: () => starters(read(REPORTS.starters)),
}
const isCheck = process.argv.includes("--check")

for (const page of PAGES) {
  const is = readFileSync(page, "utf8")
  const filled = is.replace(MARKED, (_, begin, kind, name, end) => {
    const section = kind === "bench" ? bench(read(`bench/results/${name}.json`)) : TABLES[name]()
    return `${begin}\n${section}\n\n${end}`
  })
  const written = format(page, filled)
  if (!isCheck) {
    writeFileSync(page, written)
  } else if (is !== written) {
    complain(`${page} has other figures than the stored runs. Run npm run figures and commit it.`)
  }
}
const unproven = unprovenNames([...SHOPS, ...STORES])
if (isCheck && unproven.length > 0) {
  complain(`Failed or not stored: ${unproven.join("; ")}. Run npm run test:install-matrix -- --report`)
}

function complain(text) {
  process.stderr.write(`${text}\n`)
  process.exitCode = 1
}

/** The last run of each suite. */
function deep(report) {
  return table([
    ["suite", "result", "minutes", "tests", "day", "commit"],
    ...Object.entries(report).map(([suite, { result, seconds, passed, failed, date, commit }]) => [
      ...[`\`${suite}\``, result, (seconds / 60).toFixed(1), passed === undefined ? "" : passed + failed],
      ...[date, commit],
    ]),
  ])
}

/** The last result of each part. */
function mutation(report) {
  const lines = table([
    ["part", "mutants", "found", "day", "commit"],
    ...Object.entries(report).map(([name, { mutants, found, day, commit }]) => [
      ...[name, mutants, `${((100 * found) / mutants).toFixed(2)} %`, day, commit],
    ]),
  ])
  return `${lines}\n\nWhat survived is listed in the [report](../../${REPORTS.mutation}).`
}

/** The last run of each shop and store. */
function installMatrix(rows) {
  const words = (versions) =>
    Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")
  return table([
    ["shop or store", "result", "installed", "took", "day", "commit"],
    ...rows.map(({ name, result, installed, seconds, day, commit }) => [
      ...[name, result, words(installed), `${seconds} s`, day, commit],
    ]),
  ])
}

/** The last run of each starter. */
function starters(rows) {
  return table([
    [
      "starter",
      "its commit",
      "Next.js",
      "package manager",
      "files",
      "lines",
      "shoppers",
      "took",
      "day",
      "commit",
    ],
    ...rows.map(({ name, starterCommit, installed, files, lines, scenarios, seconds, day, commit }) => {
      const [, manager = []] = Object.entries(installed)
      return [
        name,
        starterCommit,
        installed.next,
        manager.join(" "),
        files,
        lines,
        scenarios,
        `${seconds} s`,
        day,
        commit,
      ]
    }),
  ])
}

/** With where and when it was measured. */
function bench({ date, commit, machine, table: rows }) {
  return `${table(rows)}\n\n_${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}, Postgres ${machine.postgres}; load of the last minute ${machine.load[0]}; commit ${commit}._`
}

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}

function table([head, ...rows], alignment = "--:") {
  const line = (cells) => `| ${cells.join(" | ")} |`
  const rule = head.map((_, column) => (column === 0 ? "---" : alignment))
  return [head, rule, ...rows].map(line).join("\n")
}
