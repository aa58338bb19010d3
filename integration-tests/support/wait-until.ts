import { setTimeout as delay } from "node:timers/promises"

/** Asks again until there is none of it. */
export async function untilNone(ask: () => Promise<unknown[]>, ...patience: Patience): Promise<void> {
  await waitUntil(ask, ({ length }) => length === 0, ...patience)
}

/** Asks again until it is so. */
export async function untilTrue(ask: () => boolean | Promise<boolean>, ...patience: Patience): Promise<void> {
  await waitUntil(ask, (isSo) => isSo, ...patience)
}

/** Waits until a spied method has been called so often and has answered. */
export async function untilAnswered(
  { mock }: { mock: { results: { value: unknown }[] } },
  times: number
): Promise<void> {
  const answers = () => Promise.all(mock.results.map(({ value }) => value))
  await waitUntil(answers, ({ length }) => length >= times)
}

type Patience = [timeoutMs?: number, signal?: AbortSignal | undefined]

/**
 * Asks again until the answer satisfies.
 *
 * @throws with the last answer when it never does; when the signal ends the waiting
 */
export async function waitUntil<T>(
  ask: () => T | Promise<T>,
  satisfies: (answer: T) => boolean,
  timeoutMs = 150_000,
  signal?: AbortSignal
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
    await delay(25, undefined, signal === undefined ? {} : { signal })
  }
}
