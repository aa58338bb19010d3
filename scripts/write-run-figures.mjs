/**
 * Writes the figures of stored runs into the docs, each between its two marks, so that no figure there is typed by
 * hand: of the deep suites, the install matrix, the mutation test and the benchmarks. With --check it only compares,
 * and fails when a page says something else than the stored runs, and when a row of the install matrix failed or is
 * not stored.
 */
import { readFileSync } from "node:fs"

import { writeOrCheck } from "./format.mjs"
import { PROGRAMS, SHOPS } from "./install-matrix/projects.mjs"
import { OLDEST_MEDUSA, STORES } from "./install-matrix/stores.mjs"
import { readJson } from "./managers.mjs"
import { REPORTS } from "./stored-report.mjs"

const PAGES = [
  "README.md",
  ...["testing", "performance", "internals/tests", "internals/mutation-testing"].map(
    (name) => `docs/${name}.md`
  ),
]
const MARKED = /(<!-- (runs|bench): ([\w-]+) -->\n)[^]*?(<!-- end -->)/g

/** The tables of stored runs, by the name in a page's mark. */
const TABLES = {
  /** The last run of each suite. */
  deep: () =>
    table(Object.entries(readJson(REPORTS.deep)), {
      suite: ([suite]) => `\`${suite}\``,
      result: ([, { result }]) => result,
      minutes: ([, { seconds }]) => (seconds / 60).toFixed(1),
      tests: ([, { passed, failed }]) => (passed === undefined ? "" : passed + failed),
      day: ([, { date }]) => date,
      commit: ([, { commit }]) => commit,
    }),
  /** The last result of each part. */
  mutation: () => {
    const lines = table(Object.entries(readJson(REPORTS.mutation)), {
      part: ([name]) => name,
      mutants: ([, { mutants }]) => mutants,
      found: ([, { mutants, found }]) => `${((100 * found) / mutants).toFixed(2)} %`,
      day: ([, { day }]) => day,
      commit: ([, { commit }]) => commit,
    })
    return `${lines}\n\nWhat survived is listed in the [report](../../${REPORTS.mutation}).`
  },
  "install-matrix": () =>
    table(readJson(REPORTS["install-matrix"]), {
      project: ({ name }) => name,
      result: ({ result }) => result,
      installed: ({ installed }) => Object.entries(installed).map(words).join(", "),
      ...RAN,
    }),
  starters: () =>
    table(readJson(REPORTS.starters), {
      starter: ({ name }) => name,
      "its commit": ({ starterCommit }) => starterCommit,
      "Next.js": ({ installed }) => installed.next,
      "package manager": ({ installed }) => words(Object.entries(installed)[1]),
      files: ({ files }) => files,
      lines: ({ lines }) => lines,
      shoppers: ({ scenarios }) => scenarios,
      ...RAN,
    }),
  versions,
}

const RAN = { took: ({ seconds }) => `${seconds} s`, day: ({ day }) => day, commit: ({ commit }) => commit }
const words = (pair) => pair.join(" ")

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

/** With where and when it was measured. */
function bench(name) {
  const { date, commit, machine, table: rows } = readJson(`bench/results/${name}.json`)
  const { cpu, cores, memoryGb, node, postgres, load } = machine
  const place = `${cpu}, ${cores} cores, ${memoryGb} GB, Node ${node}, Postgres ${postgres}`
  const stamp = `${date.slice(0, 10)}, ${place}; load of the last minute ${load[0]}; commit ${commit}.`
  return `${lines(rows)}\n\n_${stamp}_`
}

/** What the packages declare, and what the install matrix and the starters have really installed. */
function versions() {
  const stored = [REPORTS["install-matrix"], REPORTS.starters].flatMap(readJson)
  const { engines, peerDependencies } = readJson("package.json")
  const { react } = readJson("packages/storefront/package.json").peerDependencies
  /** In those that work, oldest first; in both kinds unless told. */
  const tested = (name, kind) => {
    const rows = stored.filter((row) => kind === undefined || row.kind === kind)
    const found = [...new Set(rows.flatMap(({ installed }) => installed[name] ?? []))]
    return (
      found.sort((one, other) => one.localeCompare(other, "en", { numeric: true })).join(", ") || "not yet"
    )
  }
  const managers = (kind) => ["npm", "pnpm", "yarn"].map((name) => `${name} ${tested(name, kind)}`).join("; ")
  const newer = "newer ones are tried by the [canary](docs/testing.md#the-canary)"
  // A bar would end the cell.
  const or = (range) => range.replaceAll(" || ", " or ")
  const rows = [
    ["", "supported", "[tested with](docs/internals/tests.md#the-install-matrix)"],
    ["Medusa", `${OLDEST_MEDUSA.replace(/\.0$/, "")}; ${newer}`, tested("@medusajs/medusa", "store")],
    ["Node", or(engines.node), tested("node")],
    [
      "`react-router-dom` in the store",
      peerDependencies["react-router-dom"],
      tested("react-router-dom", "store"),
    ],
    ["React in the shop", or(react), tested("react", "shop")],
    [
      "Next.js and Vite in the shop",
      "not limited",
      `Next.js ${tested("next", "shop")}; Vite ${tested("vite", "shop")}`,
    ],
    ["npm, pnpm, yarn in the store", "not limited", managers("store")],
    ["npm, pnpm, yarn in the shop", "not limited", managers("shop")],
    ["currencies of a payment", "AED, USD", "AED, USD"],
  ]
  return lines(rows, "---")
}

/** @param {Record<string, (row: any) => unknown>} columns what a cell holds, by the column's head */
function table(rows, columns) {
  return lines([Object.keys(columns), ...rows.map((row) => Object.values(columns).map((cell) => cell(row)))])
}

function lines([head, ...rows], alignment = "--:") {
  const rule = head.map((_, column) => (column === 0 ? "---" : alignment))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")
}
