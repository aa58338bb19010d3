const { readLog } = jest.requireActual<{ readLog: (text: string) => Record<string, unknown> }>(
  "../../scripts/suites/log.cjs"
)

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
