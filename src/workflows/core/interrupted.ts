/** Core ends what it began within seconds. If it has not, its process died during it, or gave it up. */
const INTERRUPTED_AFTER_MS = 60_000

/** Whether what core began then is so old that its process is taken for dead. */
export function isInterrupted(since: Date | string): boolean {
  return Date.now() - new Date(since).getTime() >= INTERRUPTED_AFTER_MS
}
