/** What ends things that were started. */
export type Endings = (() => unknown)[]

/**
 * Starts several things one after the other. When one of them does not start, those before it are ended, the last one
 * first.
 *
 * @param start gets a list to put the end of each thing on, and what runs that list
 */
export async function startTogether<Started>(
  start: (endings: Endings, stop: () => Promise<void>) => Promise<Started>
): Promise<Started> {
  const endings: Endings = []
  const stop = async (): Promise<void> => {
    for (const end of endings.splice(0).reverse()) {
      await end()
    }
  }
  try {
    return await start(endings, stop)
  } catch (error) {
    await stop()
    throw error
  }
}
