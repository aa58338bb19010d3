import { writeFileSync } from "node:fs"
import { readCommit } from "../support/commit"
import type { Failure, Progress } from "./explore"
import type { ModelOptions } from "./options"

/** Read when the run begins. */
const COMMIT = readCommit()

/** What is stored as JSON. While the command runs, it holds what is known so far. */
export interface ModelReport extends Progress {
  command: Pick<ModelOptions, "seed" | "runs" | "commands">
  commit: string
  begunAt: string
  seconds: number
}

export function toReport(
  { seed, runs, commands }: ModelOptions,
  progress: Progress,
  startedAt: number
): ModelReport {
  return {
    command: { seed, runs, commands },
    commit: COMMIT,
    begunAt: new Date(startedAt).toISOString(),
    seconds: (Date.now() - startedAt) / 1000,
    ...progress,
  }
}

/** The story, what is wrong at its end, and how it is played again. */
export function printFailure(
  { rule, what, story, seed, path }: Failure,
  { commands }: Pick<ModelOptions, "commands">
): string {
  return [
    `\nFAILED: ${rule}`,
    ...story.map((line) => (line.startsWith(" ") ? `  ${line}` : `  - ${line}`)),
    `  = ${what}`,
    `  again: npm run test:order-model -- --seed ${seed} --commands ${commands} --path '${path}'`,
  ].join("\n")
}

export function printReport({
  command,
  failures,
  sequences,
  played,
  seconds,
  commands,
}: ModelReport): string {
  const counts = Object.entries(commands).sort(([, one], [, other]) => other - one)
  return [
    `Run so often: ${counts.map(([name, count]) => `${name} ${count}`).join(", ")}`,
    ...failures.map((failure) => printFailure(failure, command)),
    `\n${sequences} sequences, ${played} played in all, ${failures.length} rules broken, ${Math.round(seconds)} s (seed ${command.seed})`,
  ].join("\n")
}

export function writeReport(file: string, report: ModelReport): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}
