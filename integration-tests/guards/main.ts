/**
 * `npm run test:guards`: takes each guard out of the built plugin, alone, and runs the test that has to fail without
 * it. Needs `npm run build` before it. With words, only the guards whose names hold one of them.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { text } from "node:stream/consumers"
import { GUARDS, type Guard } from "./guards"
import { Mutants } from "./mutants"
import { runAsCommand, say } from "../support/command"
import { judge, type JestReport, type Verdict } from "./verdict"

const ROOT = path.resolve(__dirname, "../..")
const BUILT = path.join(ROOT, ".medusa/server/src")
const TIME_LIMIT_MS = 5 * 60_000

let putBack = (): void => undefined

runAsCommand(main, () => {
  putBack()
  return undefined
})

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const chosen = GUARDS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0) {
    const names = GUARDS.map(({ name }) => `  ${name}`).join("\n")
    throw new Error(`No guard has ${words.join(" or ")} in its name. There are:\n${names}`)
  }
  const mutants = new Mutants(chosen)
  // All first, so that one that does not compile ends the run at its beginning.
  const compiled = chosen.map((guard) => ({ guard, mutant: mutants.compile(guard) }))
  let proven = 0
  for (const { guard, mutant } of compiled) {
    const { isProven, why } = await prove(guard, mutant)
    proven += isProven ? 1 : 0
    say(`${isProven ? "missed" : "NOT MISSED"}  ${guard.name}\n    ${why}`)
  }
  say(`${String(proven)} of ${String(chosen.length)} guards are missed when they are gone`)
  return proven === chosen.length ? 0 : 1
}

async function prove(guard: Guard, mutant: string): Promise<Verdict> {
  const built = path.join(BUILT, guard.file.replace(/\.ts$/, ".js"))
  const whole = readFileSync(built, "utf8")
  putBack = () => writeFileSync(built, whole)
  try {
    writeFileSync(built, mutant)
    return await runTest(guard)
  } finally {
    putBack()
  }
}

async function runTest({ spec, test }: Guard): Promise<Verdict> {
  const folder = mkdtempSync(path.join(tmpdir(), "guard-"))
  const report = path.join(folder, "report.json")
  try {
    const jest = spawn(
      process.execPath,
      [
        "--experimental-vm-modules",
        path.join(ROOT, "node_modules/jest/bin/jest.js"),
        ...["--selectProjects", "integration", "--silent", "--forceExit", "--json", "--outputFile", report],
        ...["--testPathPattern", `http/${spec}\\.spec`, "--testNamePattern", test],
      ],
      { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"], timeout: TIME_LIMIT_MS }
    )
    const [said] = await Promise.all([text(jest.stderr), once(jest, "close")])
    if (!existsSync(report)) {
      return { isProven: false, why: `jest gave no result: ${said.slice(-500).trim()}` }
    }
    return judge(JSON.parse(readFileSync(report, "utf8")) as JestReport, test)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
