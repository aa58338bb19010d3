import { readFileSync } from "node:fs"
import path from "node:path"
import { GUARDS } from "./guards"
import { misplaced } from "./mutants"

const ROOT = path.resolve(__dirname, "../..")

describe.each(GUARDS)('the guard "$name"', (guard) => {
  it("is exactly once in its file", () => {
    expect(misplaced(guard)).toEqual([])
  })

  it("names a test there is", () => {
    const file = path.join(ROOT, "integration-tests/http", `${guard.spec}.spec.ts`)
    // A table's test has its name in an array, or on a line of its own.
    expect(readFileSync(file, "utf8").replace(/[([]\s*"/g, '("')).toContain(`("${guard.test}`)
  })
})

it("a guard whose code is not in its file is misplaced", () => {
  const [guard] = GUARDS as [(typeof GUARDS)[number]]
  expect(misplaced({ ...guard, code: "gone()" })).toEqual([
    expect.stringContaining("Its code is 0 times in src/"),
  ])
})
