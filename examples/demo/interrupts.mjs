import { constants } from "node:os"

/** npm passes a terminal's Ctrl-C on to a process that already got it: what follows at once is the same press. */
const SAME_PRESS_MS = 500

/** Why everything stops: the person, or the machine's shutdown, asked for it. */
export class Interrupted extends Error {
  /** @param {"SIGINT" | "SIGTERM" | "SIGHUP"} name */
  constructor(name) {
    super(`Interrupted by ${name}`)
    /** As a shell reports a signal: 130 for Ctrl-C. */
    this.exitCode = 128 + constants.signals[name]
  }
}

/**
 * The first interrupt lets the demo put things away. A second one leaves at once: the keepers see this process end and
 * stop what it started.
 *
 * @returns {{ signal: AbortSignal }}
 */
export function listenForInterrupts() {
  const controller = new AbortController()
  let firstAt = 0
  for (const name of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"])) {
    process.on(name, () => {
      const reason = new Interrupted(name)
      if (!controller.signal.aborted) {
        firstAt = Date.now()
        controller.abort(reason)
      } else if (Date.now() - firstAt > SAME_PRESS_MS) {
        process.exit(reason.exitCode)
      }
    })
  }
  return { signal: controller.signal }
}
