import { CommandOptions } from "../support/command"

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
      sample: TEXT,
      seed: TEXT,
      together: TEXT,
      report: TEXT,
    },
    usageOf(known)
  )
  const { flow = known, sample, seed, together, report } = options.values
  const unknown = flow.find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw options.refusal(`There is no flow "${unknown}".`)
  }
  return {
    seed: options.toSeed(seed),
    /** Names of the flows to play. */
    flows: known.filter((name) => flow.includes(name)),
    /** So many points of all flows together, each on one side; undefined for all points, on both. */
    sample: sample === undefined ? undefined : options.toNumber("sample", sample, 1),
    /** How many runs are held in one process before it is killed. */
    together: options.toNumber("together", together ?? String(DEFAULT_TOGETHER), 1, MOST_TOGETHER),
    /** Where the report is written to as JSON. */
    report,
  }
}

const usageOf = (flows: string[]): string =>
  `npm run test:crash-matrix [-- options]

  --flow <name>     only this flow; can be given again. There are: ${flows.join(", ")}
  --sample <n>      n points, spread over the flows (default all)
  --seed <n>        which ones is drawn from this; printed, and another one each time when it is not given
  --together <n>    so many runs are held in one process before it is killed (default ${DEFAULT_TOGETHER}, at most ${MOST_TOGETHER})
  --report <file>   writes the report there as JSON

CLUSTER_LOGS=<folder> keeps the output of every process there.`
