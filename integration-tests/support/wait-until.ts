import { setTimeout as delay } from "node:timers/promises"

/** Asks again until the answer satisfies, and fails with the last answer when it never does. */
export async function waitUntil<T>(
  ask: () => Promise<T>,
  satisfies: (answer: T) => boolean,
  timeoutMs = 150_000
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  for (;;) {
    const answer = await ask()
    if (satisfies(answer)) {
      return answer
    }
    if (Date.now() > deadline) {
      throw new Error(`it never became so within ${String(timeoutMs)} ms; last: ${JSON.stringify(answer)}`)
    }
    await delay(25)
  }
}
