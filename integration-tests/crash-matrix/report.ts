import { STARTED_AT } from "../support/command"
import { readCommit } from "../support/commit.cjs"
import type { Progress } from "./matrix"
import type { MatrixOptions } from "./options"
import type { HoldPoint } from "./store-process"

/** Read at the start: the tree may change while the command runs. */
const COMMIT = readCommit()

/** What became of one run. */
export interface RunResult extends HoldPoint {
  flow: string
  /** Where the process was killed; null when the flow had ended before it came to its point. */
  heldAt: string | null
  /** What is wrong at the end, in sentences; empty when all is right. */
  faults: string[]
}

/** What a flow passes when nobody is killed. */
export interface RecordedFlow {
  flow: string
  points: string[]
}

/** What is stored as JSON. While the command runs, it holds what is known so far. */
export function toReport(options: MatrixOptions, { recorded, results, processesKilled }: Progress) {
  const { report: _file, ...command } = options
  return {
    command,
    commit: COMMIT,
    begunAt: new Date(STARTED_AT).toISOString(),
    seconds: (Date.now() - STARTED_AT) / 1000,
    /** Fewer than runs: several are held in one process. */
    processesKilled,
    flows: recorded.map(({ flow, points }) => {
      const runs = results.filter((result) => result.flow === flow && result.number > 0)
      const killed = runs.filter(({ heldAt }) => heldAt !== null).length
      return {
        flow,
        points: points.length,
        runs: runs.length,
        killed,
        /** Runs that came to their end before their point. */
        ended: runs.length - killed,
        clean: runs.filter(({ faults }) => faults.length === 0).length,
      }
    }),
    failures: results.filter(({ faults }) => faults.length > 0),
  }
}

/** A line per flow, and each failure with the place where the process died. */
export function printReport(report: ReturnType<typeof toReport>): string {
  const { flows, failures, processesKilled, seconds, command } = report
  const columns = ["points", "runs", "killed", "ended", "clean"] as const
  const lines = flows.map(
    (flow) => `${flow.flow.padEnd(22)}${columns.map((column) => String(flow[column]).padStart(8)).join("")}`
  )
  const runs = flows.reduce((sum, flow) => sum + flow.runs, 0)
  return [
    `${"flow".padEnd(22)}${columns.map((column) => column.padStart(8)).join("")}`,
    ...lines,
    "",
    ...failures.map(describeFailure),
    `${runs} runs, ${processesKilled} processes killed, ${failures.length} failures, ${Math.round(seconds)} s (seed ${command.seed})`,
  ].join("\n")
}

export function describeFailure({ flow, number, side, heldAt, faults }: RunResult): string {
  const place = `${side} point ${number}${heldAt === null ? " (it ended before)" : `: ${heldAt}`}`
  return [`${flow}, ${number === 0 ? "nobody killed" : place}`, ...faults].join("\n    ")
}
