import { writeFileSync } from "node:fs"
import type { MatrixOptions } from "./options"
import type { HoldPoint } from "./store-process"

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
export interface MatrixReport {
  command: Pick<MatrixOptions, "seed" | "flows" | "choice" | "hasStatements" | "together">
  commit: string
  begunAt: string
  seconds: number
  /** Fewer than runs: several are held in one process. */
  processesKilled: number
  flows: FlowReport[]
  /** The names of the points that each flow passes when nobody is killed, in order. */
  recorded: RecordedFlow[]
  failures: RunResult[]
}

/** The figures of one flow. `ended` counts runs that came to their end before their point. */
export interface FlowReport {
  flow: string
  points: number
  runs: number
  killed: number
  ended: number
  clean: number
}

export function summarizeFlows(recorded: RecordedFlow[], results: RunResult[]): FlowReport[] {
  return recorded.map(({ flow, points }) => {
    const runs = results.filter((result) => result.flow === flow)
    const killed = runs.filter(({ heldAt }) => heldAt !== null)
    return {
      flow,
      points: points.length,
      runs: runs.length,
      killed: killed.length,
      ended: runs.length - killed.length,
      clean: runs.filter(({ faults }) => faults.length === 0).length,
    }
  })
}

/** A line per flow, and each failure with the place where the process died. */
export function printReport({ flows, failures, processesKilled, seconds, command }: MatrixReport): string {
  const columns = ["points", "runs", "killed", "ended", "clean"] as const
  const lines = flows.map(
    (flow) => `${flow.flow.padEnd(22)}${columns.map((column) => String(flow[column]).padStart(8)).join("")}`
  )
  const faults = failures.map(
    (failure) => `${describePoint(failure)}\n${failure.faults.map((fault) => `    ${fault}`).join("\n")}`
  )
  const runs = flows.reduce((sum, flow) => sum + flow.runs, 0)
  return [
    `${"flow".padEnd(22)}${columns.map((column) => column.padStart(8)).join("")}`,
    ...lines,
    "",
    ...faults,
    `${runs} runs, ${processesKilled} processes killed, ${failures.length} failures, ${Math.round(seconds)} s (seed ${command.seed})`,
  ].join("\n")
}

export function describePoint({ flow, number, side, heldAt }: Omit<RunResult, "faults">): string {
  if (number === 0) {
    return `${flow}, nobody killed`
  }
  return `${flow}, ${side} point ${number}${heldAt === null ? " (it ended before)" : `: ${heldAt}`}`
}

export function writeReport(file: string, report: MatrixReport): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
