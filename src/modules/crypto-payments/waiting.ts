import { setTimeout as delay } from "node:timers/promises"

/** How long an admin user's request waits for a payment that a settle holds, as right after the payment. */
export const HELD_WAIT_MS = 10_000
const FIRST_POLL_MS = 20
const SLOWEST_POLL_MS = 250

/**
 * Tries to take what another process holds, at first soon again and then four times a second.
 *
 * @param take answers undefined while it is held
 * @param isOver nobody waits any more
 * @returns undefined when it was not free in time
 */
export async function untilTaken<T>(
  take: () => Promise<T | undefined>,
  waitMs: number,
  isOver: () => boolean = () => false
): Promise<T | undefined> {
  let taken = await take()
  let pollMs = FIRST_POLL_MS
  for (let waitedMs = 0; taken === undefined && waitedMs < waitMs && !isOver(); waitedMs += pollMs) {
    pollMs = Math.min(pollMs * 2, SLOWEST_POLL_MS)
    await delay(pollMs)
    taken = await take()
  }
  return taken
}

/** The work has not ended in time. It may still be running. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong"
}

/**
 * Waits for work, with a limit. Core's workflows can hang for ever when the database was interrupted, and a caller
 * would hang with them, holding its locks. The work is not stopped: its late effects have to be harmless.
 *
 * @throws TookTooLong
 */
export async function waitAtMost<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new TookTooLong(`not done within ${String(ms)} ms`))
    }, ms)
  })
  try {
    return await Promise.race([work, end])
  } finally {
    clearTimeout(timer)
  }
}
