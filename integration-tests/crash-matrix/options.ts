import { parseArgs } from "node:util"
import type { Choice } from "./plan"

const DEFAULT_TOGETHER = 15
/** Each keeps connections to Postgres, of which a process has so many. */
const MOST_TOGETHER = 20

export interface MatrixOptions {
  seed: number
  /** Names of the flows to play. */
  flows: string[]
  choice: Choice
  /** Whether a process also dies at the writes inside a transaction, of which Postgres keeps nothing. */
  hasStatements: boolean
  /** How many runs are held in one process before it is killed. */
  together: number
  /** Where the report is written to as JSON. */
  report: string | undefined
}

/**
 * @param known names of all flows
 * @throws with the usage
 */
export function readOptions(args: string[], known: string[]): MatrixOptions {
  const usage = usageOf(known)
  const values = readValues(args, usage)
  const toNumber = (name: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number => {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      throw new Error(
        `--${name} must be a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}, not "${text}".\n\n${usage}`
      )
    }
    return value
  }
  if (values.every !== undefined && values.sample !== undefined) {
    throw new Error(`--every and --sample exclude each other.\n\n${usage}`)
  }
  const unknown = (values.flow ?? []).find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new Error(`There is no flow "${unknown}".\n\n${usage}`)
  }
  return {
    seed: toNumber("seed", values.seed ?? String(Date.now() % 1_000_000), 0),
    flows: known.filter((name) => values.flow?.includes(name) ?? true),
    choice:
      values.sample === undefined
        ? { kind: "every", step: toNumber("every", values.every ?? "1", 1) }
        : { kind: "sample", count: toNumber("sample", values.sample, 1) },
    hasStatements: values.statements ?? false,
    together: toNumber("together", values.together ?? String(DEFAULT_TOGETHER), 1, MOST_TOGETHER),
    report: values.report,
  }
}

function usageOf(flows: string[]): string {
  return `npm run test:crash-matrix [-- options]

  --flow <name>     only this flow; can be given again. There are: ${flows.join(", ")}
  --every <n>       every n-th point only (default 1, all)
  --sample <n>      n points, spread over the flows
  --seed <n>        which ones is drawn from this; printed, and another one each time when it is not given
  --statements      also at each write inside a transaction, of which Postgres keeps nothing without its COMMIT
  --together <n>    so many runs are held in one process before it is killed (default ${DEFAULT_TOGETHER}, at most ${MOST_TOGETHER})
  --report <file>   writes the report there as JSON

CLUSTER_LOGS=<folder> keeps the output of every process there.`
}

interface Values {
  flow?: string[]
  every?: string
  sample?: string
  seed?: string
  statements?: boolean
  together?: string
  report?: string
}

function readValues(args: string[], usage: string): Values {
  const text = { type: "string" } as const
  try {
    return parseArgs({
      args,
      options: {
        flow: { type: "string", multiple: true },
        every: text,
        sample: text,
        seed: text,
        statements: { type: "boolean" },
        together: text,
        report: text,
      },
    }).values
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n\n${usage}`, { cause })
  }
}
