/** Core ends what it began within seconds. If it has not, its process died during it, or gave it up. */
const INTERRUPTED_AFTER_MS = 60_000

/**
 * Whether what core began is so old that its process is considered dead.
 *
 * @param ageMs by the database's clock: instances differ
 */
export function isInterrupted(ageMs: number): boolean {
  return ageMs >= INTERRUPTED_AFTER_MS
}
