import { describeExploration, exploreWithout } from "./exploration"
import type { Exploration } from "./explore"
import { PROOFS } from "./proofs"
import { SCENARIOS } from "./scenarios"

/** Of processor time: on a busy machine the clock says little. */
const MOST_SECONDS = 120
const MOST_BYTES = 2e9
const BOUNDS = { states: 5_000_000, seconds: 4 * MOST_SECONDS }

jest.setTimeout(5 * MOST_SECONDS * 1000)

const measured: string[] = []

afterAll(() => {
  process.stdout.write(`${measured.join("\n")}\n`)
})

/** What can become of a paid link in each scenario. */
const ENDS: Record<string, string[]> = {
  checkout: ["captured"],
  "held-up": ["captured"],
  "cart-change": ["captured", "orphan_paid"],
  "two-links": ["orphan_paid"],
  "two-paid-links": ["captured", "duplicate_payment", "orphan_paid"],
  merchant: ["captured", "paid_on_canceled", "refunded"],
  "moved-gateway": ["captured"],
  "lost-locks": ["captured"],
}

describe("the protocol, explored to the end of its bounds", () => {
  const explored: Exploration[] = []
  const before = process.cpuUsage()

  it.each(Object.entries(SCENARIOS))("keeps every invariant: %s", (name, { start }) => {
    const found = exploreWithout([], start, BOUNDS)
    measured.push(describeExploration(name, found))
    explored.push(found)
    expect(found.broken).toBeNull()
    expect(found.isComplete).toBe(true)
    expect([...found.ends].sort()).toEqual(ENDS[name])
  })

  it("takes at least a million states, and less than two minutes and two gigabytes", () => {
    const { user, system } = process.cpuUsage(before)
    const seconds = (user + system) / 1e6
    const states = explored.reduce((sum, one) => sum + one.states, 0)
    measured.push(`${states.toLocaleString("en")} states in ${seconds.toFixed(1)} s of processor time`)
    expect(explored).toHaveLength(Object.keys(SCENARIOS).length)
    expect(states).toBeGreaterThanOrEqual(1_000_000)
    expect(seconds).toBeLessThan(MOST_SECONDS)
    expect(process.memoryUsage().rss).toBeLessThan(MOST_BYTES)
  })
})

describe.each(Object.entries(PROOFS))("%s", (name, { rules, breaks, start }) => {
  it("is found without its fix, with a story", () => {
    const { broken, ...figures } = exploreWithout(rules, start, BOUNDS)
    measured.push(describeExploration(name, { ...figures, broken }))
    expect(broken?.promise).toMatch(new RegExp(`^${breaks}: `))
    expect(broken?.story.length).toBeGreaterThan(0)
    expect(broken?.story.length).toBeLessThan(60)
  })

  it("cannot happen with it", () => {
    const { broken, isComplete } = exploreWithout([], start, BOUNDS)
    expect({ broken, isComplete }).toEqual({ broken: null, isComplete: true })
  })
})
