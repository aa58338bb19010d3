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
