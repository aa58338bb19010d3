import { writeFileSync } from "node:fs"
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

export function writeJson(file: string, report: object): void {
  writeFileSync(file, `${JSON.stringify(report, null, 2)}\n`)
}

/** Whoever gives an option that there is not, or that makes no sense, is told the usage. */
export class CommandOptions<Options extends NonNullable<ParseArgsConfig["options"]>> {
  readonly values: ReturnType<typeof parseArgs<{ args: string[]; options: Options }>>["values"]

  constructor(
    args: string[],
    options: Options,
    private readonly usage: string
  ) {
    try {
      this.values = parseArgs({ args, options }).values
    } catch (error) {
      throw this.refusal((error as Error).message)
    }
  }

  /** @throws unless it is a whole number from `least` to `most` */
  toNumber(name: string, text: string, least: number, most = Number.MAX_SAFE_INTEGER): number {
    const value = Number(text)
    if (!Number.isSafeInteger(value) || value < least || value > most) {
      const range = most === Number.MAX_SAFE_INTEGER ? `from ${least}` : `from ${least} to ${most}`
      throw this.refusal(`--${name} must be a whole number ${range}, not "${text}".`)
    }
    return value
  }

  /** Another one each time when it is not given. */
  toSeed(text = String(Date.now() % 1_000_000)): number {
    return this.toNumber("seed", text, 0)
  }

  refusal(why: string): Error {
    return new Error(`${why}\n\n${this.usage}`)
  }
}
