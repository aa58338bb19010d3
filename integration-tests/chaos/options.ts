import { CommandOptions } from "../support/command-options"

const USAGE = `npm run chaos [-- options]

  --seed <n>        what happens is drawn from this; printed, and another one each time when it is not given
  --checkouts <n>   how many (default 100)
  --report <file>   writes what happened and what was found there, as JSON

CLUSTER_LOGS=<folder> keeps the output of every process there.`

const TEXT = { type: "string" } as const

export interface ChaosOptions {
  seed: number
  checkouts: number
  report: string | undefined
}

/** @throws with the usage */
export function readOptions(args: string[]): ChaosOptions {
  const options = new CommandOptions(args, { seed: TEXT, checkouts: TEXT, report: TEXT }, USAGE)
  const { seed, checkouts = "100", report } = options.values
  return { seed: options.toSeed(seed), checkouts: options.toNumber("checkouts", checkouts, 1), report }
}
