// `npm run bench:docs`: puts the tables of bench/results into docs/performance.md, each between its two marks, so that no
// figure there is typed by hand. The words around them are.
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import type { Report } from "./support/report"

const ROOT = path.resolve(__dirname, "..")
const PAGE = path.join(ROOT, "docs/performance.md")
const MARKED = /(<!-- bench: ([\w-]+) -->\n)[^]*?(<!-- end -->)/g

main()

function main(): void {
  const page = readFileSync(PAGE, "utf8").replace(
    MARKED,
    (_, begin: string, name: string, end: string) => `${begin}\n${section(name)}\n\n${end}`
  )
  writeFileSync(PAGE, page)
}

function section(name: string): string {
  const file = path.join(ROOT, "bench/results", `${name}.json`)
  const { date, commit, machine, table } = JSON.parse(readFileSync(file, "utf8")) as Report
  const [head = [], ...rows] = table
  const line = (cells: readonly (string | number)[]): string => `| ${cells.join(" | ")} |`
  const lines = [line(head), line(head.map((_, column) => (column === 0 ? "---" : "--:"))), ...rows.map(line)]
  const postgres = machine.postgres === null ? "" : `, Postgres ${machine.postgres}`
  return `${lines.join("\n")}

_${date.slice(0, 10)}, ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGb} GB, Node ${machine.node}${postgres}; load of the last minute ${machine.load[0]}; commit ${commit}._`
}
