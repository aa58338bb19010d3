import { parseArgs } from "node:util"

const USAGE = `npm run chaos [-- options]

  --seed <n>        what happens is drawn from this; printed, and another one each time when it is not given
  --checkouts <n>   how many (default 100)
  --report <file>   writes what happened and what was found there, as JSON

CLUSTER_LOGS=<folder> keeps the output of every process there.`

export interface ChaosOptions {
  seed: number
  checkouts: number
  report: string | undefined
}

/** @throws with the usage */
export function readOptions(args: string[]): ChaosOptions {
  const values = readValues(args)
  return {
    seed: toNumber("--seed", values.seed ?? String(Date.now() % 1_000_000), 0),
    checkouts: toNumber("--checkouts", values.checkouts ?? "100", 1),
    report: values.report,
  }
}

function readValues(args: string[]): { seed?: string; checkouts?: string; report?: string } {
  try {
    const text = { type: "string" as const }
    return parseArgs({ args, options: { seed: text, checkouts: text, report: text } }).values
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n\n${USAGE}`, { cause })
  }
}

function toNumber(name: string, text: string, least: number): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) {
    throw new Error(`${name} must be a whole number of at least ${least}, not "${text}".\n\n${USAGE}`)
  }
  return value
}
