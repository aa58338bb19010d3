import { stripVTControlCharacters } from "node:util"

/** Of jest's `--json` report, what a verdict needs. */
export interface JestReport {
  testResults: { assertionResults: TestOutcome[]; message: string }[]
}

interface TestOutcome {
  ancestorTitles: string[]
  title: string
  status: string
  failureMessages: string[] | null
}

export interface Verdict {
  isProven: boolean
  why: string
}

/** How `expect` begins what it throws. */
const EXPECTATION = /^(Error: )?expect[(.]/
/** How `support/wait-until.ts` begins what it throws. */
const WAIT = /^Error: it never became so within/

/**
 * Whether a run without the guard shows that the named test needs it: one of the test's expectations failed, or what it
 * waited for never came. A slow machine can make a wait end in the same way, so the verdict says which it was. A store
 * that does not start, a crash or the time limit of a test proves nothing.
 */
export function judge({ testResults }: JestReport, test: string): Verdict {
  const named = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ ancestorTitles, title }) => [...ancestorTitles, title].some((name) => name.startsWith(test)))
  if (named.length === 0) {
    const [said = ""] = testResults.map(({ message }) => firstLines(message))
    return { isProven: false, why: `no test "${test}" was run. ${said}`.trim() }
  }
  const failures = named
    .filter(({ status }) => status === "failed")
    .map(({ title, failureMessages }) => ({ title, said: firstLines(failureMessages?.[0] ?? "") }))
  const expected = failures.find(({ said }) => EXPECTATION.test(said))
  if (expected !== undefined) {
    return { isProven: true, why: `"${expected.title}": ${expected.said}` }
  }
  const waited = failures.find(({ said }) => WAIT.test(said))
  if (waited !== undefined) {
    return { isProven: true, why: `by a timeout, "${waited.title}": ${waited.said}` }
  }
  const [failed] = failures
  const byWhat = failed && `"${failed.title}" failed, but not by an assertion: ${failed.said}`
  return { isProven: false, why: byWhat ?? `"${test}" passed` }
}

/** The first line, and what was expected and received when the next lines say so. */
function firstLines(message: string): string {
  const [first = "", ...rest] = stripVTControlCharacters(message).split("\n")
  const figures = rest.filter((line) => /^\s*(Expected|Received)/.test(line)).slice(0, 2)
  return [first, ...figures]
    .map((line) => line.trim())
    .join(" ")
    .slice(0, 300)
}
