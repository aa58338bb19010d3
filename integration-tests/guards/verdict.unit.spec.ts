import { judge, type JestReport } from "./verdict"

const TEST = "answers 413"

const ran = (status: string, failure?: string, title = "answers 413 to a body of 1 MB"): JestReport => ({
  testResults: [
    {
      message: "",
      assertionResults: [
        {
          ancestorTitles: ["webhook intake"],
          title,
          status,
          failureMessages: failure === undefined ? [] : [failure],
        },
      ],
    },
  ],
})

describe("judge", () => {
  it("takes a failed expectation of the named test for the proof, and says which", () => {
    const failure =
      "Error: \u001b[2mexpect(\u001b[22mreceived\u001b[2m).\u001b[22mtoBe(expected)\n\nExpected: 413\nReceived: 200\n  at x"
    expect(judge(ran("failed", failure), TEST)).toEqual({
      isProven: true,
      why: '"answers 413 to a body of 1 MB": Error: expect(received).toBe(expected) Expected: 413 Received: 200',
    })
  })

  it("takes a state that was waited for and never came for the proof, and says that only time proves it", () => {
    const failure = "Error: it never became so within 30000 ms; last: {}\n  at waitUntil"
    expect(judge(ran("failed", failure), TEST)).toEqual({
      isProven: true,
      why: 'by a timeout, "answers 413 to a body of 1 MB": Error: it never became so within 30000 ms; last: {}',
    })
  })

  it("finds the named tests by the name of their describe", () => {
    expect(judge(ran("failed", "Error: expect(received).toBe(expected)"), "webhook").isProven).toBe(true)
  })

  it.each([
    ["a crash", "ReferenceError: now is not defined\n  at decide"],
    ["a time limit", 'thrown: "Exceeded timeout of 60000 ms for a test.'],
    ["a store that does not start", "Error: connect ECONNREFUSED 127.0.0.1:5432"],
  ])("does not take %s for the proof", (_, failure) => {
    const { isProven, why } = judge(ran("failed", failure), TEST)
    expect(isProven).toBe(false)
    expect(why).toContain("failed, but not by an assertion")
  })

  it("does not take another test's failure for the proof", () => {
    const report = ran("failed", "Error: expect(received).toBe(expected)", "answers 401")
    expect(judge(report, TEST)).toEqual({ isProven: false, why: 'no test "answers 413" was run.' })
  })

  it("is not satisfied when the test passes", () => {
    expect(judge(ran("passed"), TEST)).toEqual({ isProven: false, why: '"answers 413" passed' })
  })

  it("says why no test was run", () => {
    const report = { testResults: [{ message: "  ● Test suite failed to run", assertionResults: [] }] }
    expect(judge(report, TEST).why).toBe('no test "answers 413" was run. ● Test suite failed to run')
  })
})
