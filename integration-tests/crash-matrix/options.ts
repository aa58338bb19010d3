import { CommandOptions } from "../support/command"
import type { Choice } from "./plan"

const DEFAULT_TOGETHER = 15
/** Each keeps connections to Postgres, of which a process has so many. */
const MOST_TOGETHER = 20

export type MatrixOptions = ReturnType<typeof readOptions>

const TEXT = { type: "string" } as const

/**
 * @param known names of all flows
 * @throws with the usage
 */
export function readOptions(args: string[], known: string[]) {
  const options = new CommandOptions(
    args,
    {
      flow: { type: "string", multiple: true },
      every: TEXT,
      sample: TEXT,
      seed: TEXT,
      statements: { type: "boolean", default: false },
      together: TEXT,
      report: TEXT,
    },
    usageOf(known)
  )
  const { flow = known, every, sample, seed, statements, together, report } = options.values
  if (every !== undefined && sample !== undefined) {
    throw options.refusal("--every and --sample exclude each other.")
  }
  const unknown = flow.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw options.refusal(`There is no flow "${unknown}".`)
  }
  const choice: Choice =
    sample === undefined
      ? { kind: "every", step: options.toNumber("every", every ?? "1", 1) }
      : { kind: "sample", count: options.toNumber("sample", sample, 1) }
  return {
    seed: options.toSeed(seed),
    /** Names of the flows to play. */
    flows: known.filter((name) => flow.includes(name)),
    choice,
    /** Whether a process also dies at the writes inside a transaction, of which Postgres keeps nothing. */
    hasStatements: statements,
    /** How many runs are held in one process before it is killed. */
    together: options.toNumber("together", together ?? String(DEFAULT_TOGETHER), 1, MOST_TOGETHER),
    /** Where the report is written to as JSON. */
    report,
  }
}

const usageOf = (flows: string[]): string =>
  `npm run test:crash-matrix [-- options]

  --flow <name>     only this flow; can be given again. There are: ${flows.join(", ")}
  --every <n>       every n-th point only (default 1, all)
  --sample <n>      n points, spread over the flows
  --seed <n>        which ones is drawn from this; printed, and another one each time when it is not given
  --statements      also at each write inside a transaction, of which Postgres keeps nothing without its COMMIT
  --together <n>    so many runs are held in one process before it is killed (default ${DEFAULT_TOGETHER}, at most ${MOST_TOGETHER})
  --report <file>   writes the report there as JSON

CLUSTER_LOGS=<folder> keeps the output of every process there.`
