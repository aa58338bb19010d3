/** Core is done with what it began within seconds; a process that is not was killed over it, or gave it up. */
const CUT_OFF_AFTER_MS = 60_000

/** Whether what core wrote then, in the middle of something, is so old that its process is taken for dead or given up. */
export function isCutOff(since: Date | string): boolean {
  return Date.now() - new Date(since).getTime() >= CUT_OFF_AFTER_MS
}
