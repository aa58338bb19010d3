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
