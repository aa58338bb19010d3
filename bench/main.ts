// `npm run bench`: every benchmark one after the other, or those whose names begin as given (`npm run bench -- webhook`).
// Each writes bench/results/<name>.json; docs/performance.md shows those figures.
import { spawnSync } from "node:child_process"
import { readdirSync } from "node:fs"
import path from "node:path"
import "../integration-tests/setup/clean-environment"

const ROOT = path.resolve(__dirname, "..")
const STORE_BENCH = ".bench.ts"
/** What needs no store inside the process: plain programs. */
const PROGRAMS = ["approval-hash", "boot"]

const wanted = process.argv.slice(2)
const all = [
  ...PROGRAMS,
  ...readdirSync(__dirname)
    .filter((file) => file.endsWith(STORE_BENCH))
    .map((file) => file.slice(0, -STORE_BENCH.length))
    .sort(),
]
const names = all.filter(
  (name) => wanted.length === 0 || wanted.some((beginning) => name.startsWith(beginning))
)

if (names.length === 0) {
  process.stderr.write(
    `No benchmark's name begins with ${wanted.join(" or ")}. There are:\n${all.map((name) => `  ${name}\n`).join("")}`
  )
  process.exitCode = 1
}
for (const name of names) {
  const { status } = runBenchmark(name)
  if (status !== 0) {
    process.stderr.write(`${name} failed\n`)
    process.exitCode = 1
  }
}

/** A store's benchmark runs through jest, which gives it the store the integration tests run on. */
function runBenchmark(name: string) {
  const isProgram = PROGRAMS.includes(name)
  const args = isProgram
    ? [bin("ts-node"), "--transpile-only", path.join(__dirname, `${name}.ts`)]
    : [bin("jest"), "--selectProjects", "bench", "--silent", "--runInBand", `bench/${name}${STORE_BENCH}`]
  const env = isProgram ? {} : { NODE_OPTIONS: "--experimental-vm-modules", LOG_LEVEL: "warn" }
  return spawnSync(process.execPath, args, { stdio: "inherit", cwd: ROOT, env: { ...process.env, ...env } })
}

function bin(name: string): string {
  return path.join(ROOT, "node_modules/.bin", name)
}
