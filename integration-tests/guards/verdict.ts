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

/** How `expect` and `support/wait-until.ts` begin what they throw. */
const ASSERTION = /^(Error: )?(expect[(.]|it never became so within)/

/**
 * Whether a run without the guard shows that the named test needs it: that test failed, by one of its assertions. A
 * store that does not start, a crash or a time limit fails a test as well, and proves nothing.
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
  const asserted = failures.find(({ said }) => ASSERTION.test(said))
  if (asserted !== undefined) {
    return { isProven: true, why: `"${asserted.title}": ${asserted.said}` }
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
