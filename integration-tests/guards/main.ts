/**
 * `npm run test:guards`: takes each guard out of the built plugin, alone, and runs the test that has to fail without
 * it. Needs `npm run build` before it. With words, only the guards whose names hold one of them.
 */
import { spawn } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import path from "node:path"
import { text } from "node:stream/consumers"
import {
  convertCompilerOptionsFromJson,
  readConfigFile,
  sys,
  transpileModule,
  type CompilerOptions,
} from "typescript"
import { GUARDS, type Guard } from "./guards"

const ROOT = path.resolve(__dirname, "../..")
const BUILT = path.join(ROOT, ".medusa/server/src")
const TIME_LIMIT_MS = 5 * 60_000

interface Counts {
  failed: number
  passed: number
}

void main().then((code) => {
  process.exitCode = code
})

async function main(): Promise<number> {
  const words = process.argv.slice(2)
  const chosen = GUARDS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  let proven = 0
  for (const guard of chosen) {
    const verdict = await prove(guard)
    proven += verdict.isProven ? 1 : 0
    process.stdout.write(`${verdict.isProven ? "missed" : "NOT MISSED"}  ${guard.name}: ${verdict.why}\n`)
  }
  process.stdout.write(`${String(proven)} of ${String(chosen.length)} guards are missed when they are gone\n`)
  return chosen.length > 0 && proven === chosen.length ? 0 : 1
}

async function prove(guard: Guard): Promise<{ isProven: boolean; why: string }> {
  const built = path.join(BUILT, guard.file.replace(/\.ts$/, ".js"))
  const whole = readFileSync(built, "utf8")
  try {
    writeFileSync(built, withoutGuard(guard))
    const { failed, passed } = await runTest(guard)
    return {
      isProven: failed > 0,
      why: `${String(failed)} failed, ${String(passed)} passed in ${guard.spec}`,
    }
  } finally {
    writeFileSync(built, whole)
  }
}

function withoutGuard({ name, file, code, without }: Guard): string {
  const source = readFileSync(path.join(ROOT, "src", file), "utf8")
  if (!source.includes(code)) {
    throw new Error(`${name}: its code does not stand in src/${file} any more`)
  }
  return transpileModule(
    source.replace(code, () => without),
    {
      compilerOptions: readCompilerOptions(),
      fileName: path.join(ROOT, "src", file),
    }
  ).outputText
}

function readCompilerOptions(): CompilerOptions {
  const { config } = readConfigFile(path.join(ROOT, "tsconfig.json"), (file) => sys.readFile(file)) as {
    config: { compilerOptions: object }
  }
  return convertCompilerOptionsFromJson(config.compilerOptions, ROOT).options
}

/** A store that does not start fails no test, so it proves nothing. @throws when there was no run at all */
async function runTest({ name, spec, test }: Guard): Promise<Counts> {
  const jest = spawn(
    process.execPath,
    [
      "--experimental-vm-modules",
      path.join(ROOT, "node_modules/jest/bin/jest.js"),
      ...["--selectProjects", "integration", "--silent", "--forceExit"],
      ...["--testPathPattern", `http/${spec}\\.spec`, "--testNamePattern", test],
    ],
    { cwd: ROOT, stdio: ["ignore", "ignore", "pipe"], timeout: TIME_LIMIT_MS }
  )
  const said = await text(jest.stderr)
  const counts = /^Tests: .*$/m.exec(said)?.[0]
  if (counts === undefined) {
    throw new Error(`${name}: its test did not run\n${said.slice(-2000)}`)
  }
  return { failed: count(counts, "failed"), passed: count(counts, "passed") }
}

function count(counts: string, word: string): number {
  return Number(new RegExp(`(\\d+) ${word}`).exec(counts)?.[1] ?? 0)
}
