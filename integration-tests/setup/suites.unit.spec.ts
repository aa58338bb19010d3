interface Log {
  readLog: (text: string) => Record<string, unknown>
  classify: (failedFiles: string[], again: string) => { file: string; verdict: string }[]
}
interface Quarantine {
  problemOf: (
    entry: Record<string, string>,
    now: Date,
    readSource: (file: string) => string | undefined
  ) => string | undefined
}
const { readLog, classify } = jest.requireActual<Log>("../../scripts/suites/log.cjs")
const { problemOf } = jest.requireActual<Quarantine>("../../scripts/check-quarantine.cjs")

const LOG = `
PASS gate integration-tests/grouped/refunds.spec.ts (12.1 s)
{"level":"info","message":"Creating server"}
FAIL gate integration-tests/grouped/checkout.spec.ts
  ● Console

  ● checkout › captures once

    expect(received).toBe(expected)

FAIL integration-tests/browser/shop.spec.ts (7.5 s)
  ● Test suite failed to run

Summary of all failing tests
FAIL gate integration-tests/grouped/checkout.spec.ts
  ● checkout › captures once

Tests:       1 failed, 2 skipped, 30 passed, 33 total
Tests:       5 passed, 5 total
`

describe("the log of a suite", () => {
  it("gives the tests of every jest run in it, each file and each test once, and no info lines", () => {
    expect(readLog(LOG)).toMatchObject({
      passed: 35,
      failed: 1,
      passedFiles: ["integration-tests/grouped/refunds.spec.ts"],
      failedFiles: ["integration-tests/grouped/checkout.spec.ts", "integration-tests/browser/shop.spec.ts"],
      failedTests: ["checkout › captures once", "Test suite failed to run"],
    })
    expect(readLog('{"level":"info","message":"ready"}\n\nlost 1\n')["lines"]).toEqual(["lost 1"])
  })

  it("is read in colour too", () => {
    const log = "\u001b[7m\u001b[31m FAIL \u001b[39m\u001b[27m \u001b[2msrc/\u001b[22ma.unit.spec.ts\n"
    expect(readLog(log)).toMatchObject({ failedFiles: ["src/a.unit.spec.ts"] })
  })
})

it("calls a file flaky that passes the second time, and failed that fails again or was never run", () => {
  expect(classify(["a.spec.ts", "b.spec.ts", "c.spec.ts"], "PASS a.spec.ts\nFAIL unit b.spec.ts\n")).toEqual([
    { file: "a.spec.ts", verdict: "FLAKY" },
    { file: "b.spec.ts", verdict: "FAILED" },
    { file: "c.spec.ts", verdict: "FAILED" },
  ])
})

describe("an entry of the quarantine", () => {
  const ENTRY = { file: "http/flood.spec.ts", test: "is slow", reason: "times out", until: "2026-03-15" }
  const problem = (change: Partial<typeof ENTRY>): string | undefined =>
    problemOf({ ...ENTRY, ...change }, new Date("2026-03-01T23:30:00Z"), (file) =>
      file.endsWith("gone.spec.ts") ? undefined : `it("is slow", () => {})`
    )

  it.each(["2026-03-01", "2026-03-15"])("may end on %s", (until) => {
    expect(problem({ until })).toBeUndefined()
  })

  it("may be an HTTP spec that is not about money", () => {
    expect(problem({ file: "integration-tests/http/timeline.spec.ts" })).toBeUndefined()
  })

  it.each([
    [{ reason: "" }, "has no reason"],
    [{ file: "http/gone.spec.ts" }, "names a file that is not there"],
    [{ test: "is quick" }, "names a test that is not in its file"],
    [{ file: "integration-tests/http/refund.spec.ts" }, "is a test of the invariants"],
    [{ file: "integration-tests/http/order-first-expiry.spec.ts" }, "is a test of the invariants"],
    [{ file: "integration-tests/http/two-providers.spec.ts" }, "is a test of the invariants"],
    [{ file: "src/workflows/settle.unit.spec.ts" }, "is a test of the invariants"],
    [{ until: "2026-02-28" }, "must end on a day"],
    [{ until: "2026-03-16" }, "must end on a day"],
    [{ until: "soon" }, "must end on a day"],
  ])("fails with %j", (change, expected) => {
    expect(problem(change)).toContain(expected)
  })
})
