import { readFileSync } from "node:fs"
import path from "node:path"
import { GUARDS } from "./guards"
import { Mutants } from "./mutants"

const ROOT = path.resolve(__dirname, "../..")
const [GUARD] = GUARDS

jest.setTimeout(120_000)

const mutants = new Mutants(GUARDS)
let problems: ReturnType<Mutants["problems"]>
beforeAll(() => {
  problems = mutants.problems(GUARDS)
})

describe.each(GUARDS)('the guard "$name"', (guard) => {
  it("is exactly once in its file, and what is left without it compiles", () => {
    expect(problems.get(guard)).toEqual([])
  })

  it("names a test there is", () => {
    const file = path.join(ROOT, "integration-tests/http", `${guard.spec}.spec.ts`)
    // A table's test has its name in an array, or on a line of its own.
    expect(readFileSync(file, "utf8").replace(/[([]\s*"/g, '("')).toContain(`("${guard.test}`)
  })
})

describe("a mutant", () => {
  const guard = { ...(GUARD as (typeof GUARDS)[number]) }

  it("is refused when it names what is not in scope", () => {
    const broken = { ...guard, without: "    return notInScope" }
    expect(() => mutants.compile(broken)).toThrow("Cannot find name 'notInScope'.")
  })

  it("is refused when the guard's code is not in its file", () => {
    expect(() => mutants.compile({ ...guard, code: "gone()" })).toThrow("Its code is 0 times in src/")
  })
})
