import { parseArgs } from "node:util"

const DEFAULT_RUNS = 200
const DEFAULT_COMMANDS = 30

export interface ModelOptions {
  seed: number
  /** How many sequences. */
  runs: number
  /** The longest sequence. */
  commands: number
  /** Where one failure is found again, as printed. */
  replay: { path: string; commands: string } | undefined
  /** Where the report is written to as JSON. */
  report: string | undefined
}

const USAGE = `npm run test:order-model [-- options]

  --runs <n>        so many sequences (default ${DEFAULT_RUNS})
  --seed <n>        they are drawn from this; printed, and another one each time when it is not given
  --commands <n>    so many commands are drawn for the longest; those that cannot be are left out (default ${DEFAULT_COMMANDS})
  --path <path>     plays one failure again, as printed with it; needs its seed and its number of commands
  --report <file>   writes the report there as JSON

CLUSTER_LOGS=<folder> keeps the output of the store there.`

/** @throws with the usage */
export function readOptions(args: string[]): ModelOptions {
  const values = readValues(args)
  const toNumber = (name: string, text: string, least: number): number => {
    const value = Number(text)
    if (text.trim() === "" || !Number.isSafeInteger(value) || value < least) {
      throw new Error(`--${name} must be a whole number from ${least}, not "${text}".\n\n${USAGE}`)
    }
    return value
  }
  if (values.path !== undefined && values.seed === undefined) {
    throw new Error(`--path needs the --seed it was printed with.\n\n${USAGE}`)
  }
  return {
    seed: toNumber("seed", values.seed ?? String(Date.now() % 1_000_000), 0),
    runs: toNumber("runs", values.runs ?? String(DEFAULT_RUNS), 1),
    commands: toNumber("commands", values.commands ?? String(DEFAULT_COMMANDS), 1),
    replay: values.path === undefined ? undefined : readPath(values.path),
    report: values.report,
  }
}

/** fast-check's two paths in one: which sequence, and which of its commands are left. */
function readPath(path: string): { path: string; commands: string } {
  const [, numbers, commands] = /^(\d+(?::\d+)*)@(.+)$/.exec(path) ?? []
  if (numbers === undefined || commands === undefined) {
    throw new Error(`--path must be as it was printed, such as "12:0:1@AAB:C", not "${path}".\n\n${USAGE}`)
  }
  return { path: numbers, commands }
}

export function writePath(path: string, commands: string): string {
  return `${path}@${commands}`
}

interface Values {
  runs?: string
  seed?: string
  commands?: string
  path?: string
  report?: string
}

function readValues(args: string[]): Values {
  const text = { type: "string" } as const
  try {
    return parseArgs({
      args,
      options: { runs: text, seed: text, commands: text, path: text, report: text },
    }).values
  } catch (cause) {
    throw new Error(`${(cause as Error).message}\n\n${USAGE}`, { cause })
  }
}
