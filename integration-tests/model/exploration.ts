import { explore, type Bounds, type Exploration } from "./explore"
import { forgetAnswers } from "./product"
import { takeOut, type RuleName } from "./rules"
import type { State } from "./state"

/** Explores with some of the rules taken out; they are back afterwards. */
export function exploreWithout(rules: readonly RuleName[], start: State, bounds: Bounds): Exploration {
  takeOut(rules)
  forgetAnswers()
  try {
    return explore(start, bounds)
  } finally {
    takeOut([])
    forgetAnswers()
  }
}

/** One line of the report; figures as they were measured. */
export function describeExploration(
  name: string,
  { states, depth, seconds, isComplete, rests, ends }: Exploration
): string {
  const perSecond = Math.round(states / Math.max(seconds, 0.001))
  return (
    `${name.padEnd(15)} ${states.toLocaleString("en")} states, ${isComplete ? "all there are" : "not to the end"}, ` +
    `${depth} steps deep, ${rests.toLocaleString("en")} ways to rest, ${seconds.toFixed(1)} s, ${perSecond.toLocaleString("en")} a second; ends: ${[...ends].sort().join(", ")}`
  )
}

/** The story that breaks a promise, one step a line. */
export function describeStory({ promise, story }: { promise: string; story: readonly string[] }): string {
  const steps = story.map((says, index) => `${String(index + 1).padStart(4)}. ${says}`)
  return [`  broken: ${promise}`, ...steps].join("\n")
}
