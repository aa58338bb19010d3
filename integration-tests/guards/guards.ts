import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"
import { AUDIT_RULE_NAMES } from "../../src/modules/crypto-payments/audit/audits"
import listed from "./listed-guards.json"

/** A piece of code that keeps money right, how it is taken out, and the test that has to fail without it. */
export interface Guard {
  name: string
  /** Under `src`, the one that has `code`. */
  file: string
  code: string
  /** What replaces it while it is out. */
  without: string
  /** A spec of `integration-tests/http`, without `.spec.ts`. */
  spec: string
  /** The beginning of the name of a test or of a `describe`. */
  test: string
}

/** `test` begins with its spec. Without `without`, nothing replaces the code. */
interface ListedGuard {
  test: string
  code: string
  without?: string | undefined
}

/** The guards in the code; and each sweep, with a test in which nothing but the sweep can find the work. */
const { code: CODE_GUARDS, sweeps: SWEEPS }: Record<"code" | "sweeps", Record<string, ListedGuard>> = listed

const SRC = path.resolve(__dirname, "../../src")
const SOURCES = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /(?<!\.spec)\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(path.join(SRC, file), "utf8") }))

/** In how many places of the sources it is. */
export const countPlaces = (code: string): number =>
  SOURCES.reduce((places, { text }) => places + text.split(code).length - 1, 0)

const LISTED: [name: string, guard: ListedGuard][] = [
  ...Object.entries(CODE_GUARDS),
  ...Object.entries(SWEEPS).map(([name, { test, code }]): [string, ListedGuard] => [
    `sweep: ${name}`,
    // A process that is not stopping leaves it out.
    { test, code, without: `ledger.runningSettles.isStopping ? ${code} : []` },
  ]),
  // Each rule of the audit, left out of the list of rules.
  ...AUDIT_RULE_NAMES.map((name): [string, ListedGuard] => [
    `audit: ${name}`,
    {
      test: "audit: finds each planted damage, and nothing else",
      code: "Object.entries(RULES)",
      without: `Object.entries(RULES).filter(([name]) => name !== "${name}")`,
    },
  ]),
]

export const GUARDS: Guard[] = LISTED.map(([name, { test: listed, code, without = "" }]) => {
  const [spec = "", test = ""] = listed.split(/: (.*)/)
  return {
    name,
    file: SOURCES.find(({ text }) => text.includes(code))?.file ?? "",
    code,
    without,
    spec,
    test,
  }
})
