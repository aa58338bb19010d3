import type { Progress } from "./matrix"
import type { HoldPoint } from "./store-process"

/** What became of one run. */
export interface RunResult extends HoldPoint {
  flow: string
  /** Where the process was killed; null when the flow had ended before it came to its point. */
  heldAt: string | null
  /** What is wrong at the end, in sentences; empty when all is right. */
  faults: string[]
}

/** Each failure with the place where the process died, and how many runs there were. */
export function describeResults({ results, processesKilled }: Progress, seed: number): string {
  const runs = results.filter(({ number }) => number > 0)
  const ended = runs.filter(({ heldAt }) => heldAt === null).length
  const failures = results.filter(({ faults }) => faults.length > 0)
  return [
    ...failures.map(describeFailure),
    // Fewer processes than runs: several runs are held in one process.
    `${runs.length} runs, ${ended} ended before their point, ${processesKilled} processes killed, ${failures.length} failures (seed ${seed})`,
  ].join("\n")
}

export function describeFailure({ flow, number, side, heldAt, faults }: RunResult): string {
  const place = `${side} point ${number}${heldAt === null ? " (it ended before)" : `: ${heldAt}`}`
  return [`${flow}, ${number === 0 ? "not at one point" : place}`, ...faults].join("\n    ")
}
