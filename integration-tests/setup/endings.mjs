/**
 * What has to be ended, in the order it was started. Jest runs the teardown in the process of the set-up, and passes
 * nothing on to it but the global object.
 *
 * @typedef {typeof globalThis & {endingsOfRun?: (() => unknown)[]}} EndingsHolder
 */

/** @param {() => unknown} end runs in the teardown, after those of what was started later */
export function endAfterRun(end) {
  // Node ends when nothing holds its loop open, also while a teardown still waits and jest has not yet set its exit
  // code. Such a run has not passed.
  process.exitCode = 1
  const holder = globalThis
  const endings = (holder.endingsOfRun ??= [])
  endings.push(end)
}

/**
 * Jest's teardown: ends everything that was started, the last first. From here on the exit code is jest's.
 */
export default async function endAll() {
  const holder = globalThis
  for (const end of (holder.endingsOfRun ?? []).splice(0).reverse()) {
    await end()
  }
  process.exitCode = undefined
}
