import { parseArgs, type ParseArgsConfig } from "node:util"

const INTERRUPTED = 130

/** When the command began, in milliseconds since 1970. */
export const STARTED_AT = Date.now()

/**
 * Runs a test that is a command of its own: its exit code is what `main` returns, 1 when it throws, and 130 when it is
 * interrupted, after `stop` has ended what it started.
 */
export function runAsCommand(main: () => Promise<number>, stop: () => Promise<void> | undefined): void {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      // What is not put away here, each process' keeper puts away when it sees this one end.
      void Promise.resolve(stop()).finally(() => process.exit(INTERRUPTED))
    })
  }
  void main().then(
    (code) => process.exit(code),
    (error: unknown) => {
      say(error instanceof Error ? (error.stack ?? error.message) : String(error))
      process.exit(1)
    }
  )
}

/** Prints a line with the seconds since the command began. */
export function tell(what: string): void {
  say(`${((Date.now() - STARTED_AT) / 1000).toFixed(0).padStart(5)} s  ${what}`)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}

/** @throws with the usage when an option is given that there is not */
export function parseOptions<Options extends NonNullable<ParseArgsConfig["options"]>>(
  options: Options,
  usage: string
): ReturnType<typeof parseArgs<{ args: string[]; options: Options }>>["values"] {
  try {
    return parseArgs({ args: process.argv.slice(2), options }).values
  } catch (error) {
    throw new Error(`${(error as Error).message}\n\n${usage}`, { cause: error })
  }
}

/** @throws unless an option is a whole number from `least` on */
export function toWhole(name: string, text: string, least = 1): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value) || value < least) {
    throw new Error(`--${name} must be a whole number from ${least}, not "${text}".`)
  }
  return value
}

/** Another one each time when it is not given. */
export const toSeed = (text = String(Date.now() % 1_000_000)): number => toWhole("seed", text, 0)
