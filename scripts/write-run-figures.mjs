/**
 * Writes the figures of the stored runs into the docs, each between its two marks, so that no figure there is typed by
 * hand: of the deep suites, chaos, the crash matrix, the install matrix, the mutation test and the benchmarks. With
 * --check it only compares, and fails when a page says something else than the reports.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { format } from "./format.mjs"
import { REPORTS } from "./stored-report.mjs"

const PAGES = [
  "docs/testing.md",
  "docs/performance.md",
  "docs/internals/tests.md",
  "docs/internals/mutation-testing.md",
]
const MARKED = /(<!-- (runs|bench): ([\w-]+) -->\n)[^]*?(<!-- end -->)/g
const TABLES = {
  deep,
  chaos,
  "crash-matrix": crashMatrix,
  mutation,
  "install-matrix": installMatrix,
}

for (const page of PAGES) {
  const is = readFileSync(page, "utf8")
  const filled = is.replace(MARKED, (_, begin, kind, name, end) => {
    const section = kind === "bench" ? bench(name) : show(name)
    return `${begin}\n${section}\n\n${end}`
  })
  const written = format(page, filled)
  if (!process.argv.includes("--check")) {
    writeFileSync(page, written)
  } else if (is !== written) {
    process.stderr.write(
      `${page} has other figures than the stored reports. Run npm run figures and commit it.\n`
    )
    process.exitCode = 1
  }
}

function show(name) {
  const reports = reportsOf(name)
  return reports.length === 0 ? "_No run is stored._" : TABLES[name](reports)
}

/** Newest last. */
function reportsOf(name) {
  const single = REPORTS[name]
  if (single !== undefined) {
    return existsSync(single) ? [JSON.parse(readFileSync(single, "utf8"))] : []
  }
  const folder = `integration-tests/${name}/reports`
  if (!existsSync(folder)) {
    return []
  }
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json"))
    .map((file) => JSON.parse(readFileSync(`${folder}/${file}`, "utf8")))
    .sort((one, other) => begunAt(one).localeCompare(begunAt(other)))
}

/** One stored report: the last run of each suite. */
function deep([report]) {
  return table(
    ["suite", "result", "minutes", "tests", "day", "commit"],
    Object.entries(report).map(([suite, { result, seconds, passed, failed, date, commit }]) => [
      ...[`\`${suite}\``, result, (seconds / 60).toFixed(1), passed === undefined ? "" : passed + failed],
      ...[date, commit],
    ])
  )
}

function chaos(reports) {
  const figures = {
    checkouts: "checkouts",
    "things broken": "troubles",
    "payment requests": "payment requests",
    "refunds registered": "refunds registered",
    "orders cancelled": "orders cancelled",
    "orders nobody paid": "orders nobody paid",
    "orders placed unpaid": "orders placed unpaid",
    "cancelled, never paid": "cancelled, never paid",
    "PAID at the gateway": "paid at gateway",
    "captured once": "captured once",
    "sent back, no order": "sent back, no order",
    "on the attention list": "on the attention list",
    lost: "lost",
    doubled: "doubled",
    "falsely paid": "falsely paid",
    "found by the self-audit": "found by the self-audit",
  }
  const valueOf = (figure) => figure?.value ?? figure
  const result = reports.map(({ is_good }) => (is_good ? "passed" : "FAILED"))
  return table(
    ["", ...reports.map(({ seed }) => `seed ${seed}`)],
    [
      ["result", ...result],
      ...Object.entries(figures).map(([shown, name]) => [shown, ...reports.map((one) => valueOf(one[name]))]),
      ...abouts(reports),
    ]
  )
}

function crashMatrix(reports) {
  return reports
    .map((report) => {
      const sum = (name) => report.flows.reduce((total, flow) => total + flow[name], 0)
      const names = ["points", "runs", "killed", "ended", "clean"]
      const rows = report.flows.map((flow) => [`\`${flow.flow}\``, ...names.map((name) => flow[name])])
      const lines = table(
        ["flow", "points", "runs", "died at their point", "ended before it", "clean"],
        [...rows, ["all", ...names.map(sum)]]
      )
      return `${lines}\n\n_${begunAt(report).slice(0, 10)}, commit ${report.commit}, ${minutes(report)}, ${report.processesKilled} processes killed, ${report.failures.length} failures._`
    })
    .join("\n\n")
}

/** One stored report: the last result of each part. */
function mutation([report]) {
  const lines = table(
    ["part", "mutants", "found", "day", "commit"],
    Object.entries(report).map(([name, { mutants, found, day, commit }]) => [
      name,
      mutants,
      `${((100 * found) / mutants).toFixed(2)} %`,
      day,
      commit,
    ])
  )
  return `${lines}\n\nWhat survived is listed in the [report](../../${REPORTS.mutation}).`
}

/** One stored report: the last run of each shop and store. */
function installMatrix([rows]) {
  const installed = (versions) =>
    Object.entries(versions)
      .map((pair) => pair.join(" "))
      .join(", ")
  return table(
    ["shop or store", "result", "installed", "took", "day", "commit"],
    rows.map((row) => [
      ...[row.name, row.result, installed(row.installed), `${row.seconds} s`],
      ...[row.day, row.commit],
    ])
  )
}

/** A result of `npm run bench`, with where and when it was measured. */
function bench(name) {
  const report = JSON.parse(readFileSync(`bench/results/${name}.json`, "utf8"))
  const { date, commit, machine } = report
  const [head, ...rows] = report.table
  const postgres = machine.postgres === null ? "" : `, Postgres ${machine.postgres}`
  return `${table(head, rows)}\n\n_${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}${postgres}; load of the last minute ${machine.load[0]}; commit ${commit}._`
}

function abouts(reports) {
  return [
    ["took", ...reports.map(minutes)],
    ["commit", ...reports.map(({ commit }) => commit)],
    ["day", ...reports.map((one) => begunAt(one).slice(0, 10))],
  ]
}

function begunAt(report) {
  return report.begunAt ?? report.begun_at
}

function minutes({ seconds }) {
  return `${Math.max(1, Math.round(seconds / 60))} minutes`
}

function table(head, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`
  return [line(head), line(head.map((_, column) => (column === 0 ? "---" : "--:"))), ...rows.map(line)].join(
    "\n"
  )
}
