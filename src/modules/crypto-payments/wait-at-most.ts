/** The work has not ended in time. It may still be going on. */
export class TookTooLong extends Error {
  override readonly name = "TookTooLong"
}

/**
 * Waits for work, and no longer than that. Core's workflows can hang for ever when the database was interrupted under
 * them, and whoever waits would hang with them, holding its locks.
 *
 * The work is not stopped: what it does late has to be harmless.
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
