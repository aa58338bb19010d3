import { parseArgs, type ParseArgsConfig } from "node:util"

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
