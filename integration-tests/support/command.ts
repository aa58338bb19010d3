/** When the command began, in milliseconds since 1970. */
const STARTED_AT = Date.now()

/** What `--seed` is unless it is given: another one each time. */
export const ANY_SEED = String(STARTED_AT % 1_000_000)

/** Prints a line with the seconds since the command began. */
export function tell(what: string): void {
  say(`${((Date.now() - STARTED_AT) / 1000).toFixed(0).padStart(5)} s  ${what}`)
}

export function say(text: string): void {
  process.stdout.write(`${text}\n`)
}
