import { parseArgs } from "node:util"
import { describeExploration, describeStory, exploreWithout } from "./exploration"
import { PROOFS } from "./proofs"
import { MUTATIONS, RULES, type RuleName } from "./rules"
import { SCENARIOS } from "./scenarios"
import type { State } from "./state"

const HELP = `npm run model -- [options]

  --scenario NAME   only this one; may be repeated
  --states N        at most so many states of each
  --seconds N       at most so long for each
  --without NAME    takes a rule out, or what was built against a fault; may be repeated
  --list            names the scenarios, faults and rules
`

/** @returns the exit code: 1 when an invariant breaks, 2 for an unknown name or figure */
function main(): number {
  const { values } = parseArgs({
    options: {
      scenario: { type: "string", multiple: true, default: [] },
      states: { type: "string", default: "5000000" },
      seconds: { type: "string", default: "600" },
      without: { type: "string", multiple: true, default: [] },
      list: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  })
  if (values.help || values.list) {
    print(values.help ? HELP : describeNames())
    return 0
  }
  const known = [...Object.keys(PROOFS), ...Object.keys(RULES), ...Object.keys(MUTATIONS)]
  const unknown = [
    ...values.without.filter((name) => !known.includes(name)),
    ...values.scenario.filter((name) => !(name in SCENARIOS)),
  ]
  const bounds = { states: Number(values.states), seconds: Number(values.seconds) }
  if (unknown.length > 0 || !(bounds.states > 0) || !(bounds.seconds > 0)) {
    print(
      `${unknown.length > 0 ? `Unknown: ${unknown.join(", ")}.` : "Not a number."} See --list and --help.\n`
    )
    return 2
  }
  const rules = values.without.flatMap((name) => PROOFS[name]?.rules ?? [name as RuleName])
  let total = 0
  const begunAt = performance.now()
  for (const [name, start] of starts(values.scenario, values.without)) {
    const found = exploreWithout(rules, start, bounds)
    total += found.states
    print(`${describeExploration(name, found)}\n`)
    if (found.broken !== null) {
      print(`${describeStory(found.broken)}\n`)
      return 1
    }
  }
  const seconds = (performance.now() - begunAt) / 1000
  const megabytes = process.memoryUsage().rss / 1e6
  print(
    `${total.toLocaleString("en")} states in ${seconds.toFixed(1)} s, ${megabytes.toFixed(0)} MB, nothing is broken\n`
  )
  return 0
}

/** A fault that is taken out alone has an exploration of its own, which is small. */
function starts(scenarios: readonly string[], without: readonly string[]): [string, State][] {
  const proof = without.length === 1 && scenarios.length === 0 ? PROOFS[without[0] ?? ""] : undefined
  if (proof !== undefined) {
    return [[without[0] ?? "", proof.start]]
  }
  return Object.entries(SCENARIOS)
    .filter(([name]) => scenarios.length === 0 || scenarios.includes(name))
    .map(([name, { start }]) => [name, start])
}

function describeNames(): string {
  const section = (title: string, says: Record<string, string>): string =>
    [title, ...Object.entries(says).map(([name, text]) => `  ${name}\n      ${text}`), ""].join("\n")
  const saysOf = (named: Record<string, { says: string }>): Record<string, string> =>
    Object.fromEntries(Object.entries(named).map(([name, { says }]) => [name, says]))
  return [
    section("Scenarios", saysOf(SCENARIOS)),
    section("Faults", saysOf(PROOFS)),
    section("Rules the model states", RULES),
    section("Rules of the product's own functions", MUTATIONS),
  ].join("\n")
}

function print(text: string): void {
  process.stdout.write(text)
}

process.exitCode = main()
