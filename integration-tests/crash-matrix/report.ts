import { STARTED_AT } from "../support/command"
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

/** A line per flow, and each failure with the place where the process died. */
export function describeResults({ recorded, results, processesKilled }: Progress, seed: number): string {
  const played = results.filter(({ number }) => number > 0)
  const lines = [...recorded].map(([flow, points]) => {
    const runs = played.filter((result) => result.flow === flow)
    const killed = runs.filter(({ heldAt }) => heldAt !== null).length
    const clean = runs.filter(({ faults }) => faults.length === 0).length
    const ended = runs.length - killed
    return `${flow}: ${points.length} points, ${runs.length} runs, ${killed} killed, ${ended} ended before their point, ${clean} clean`
  })
  const failures = results.filter(({ faults }) => faults.length > 0)
  const seconds = Math.round((Date.now() - STARTED_AT) / 1000)
  return [
    ...lines,
    "",
    ...failures.map(describeFailure),
    // Fewer processes than runs: several runs are held in one process.
    `${played.length} runs, ${processesKilled} processes killed, ${failures.length} failures, ${seconds} s (seed ${seed})`,
  ].join("\n")
}

export function describeFailure({ flow, number, side, heldAt, faults }: RunResult): string {
  const place = `${side} point ${number}${heldAt === null ? " (it ended before)" : `: ${heldAt}`}`
  return [`${flow}, ${number === 0 ? "not at one point" : place}`, ...faults].join("\n    ")
}
