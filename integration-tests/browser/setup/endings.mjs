/**
 * What has to be ended, in the order it was started. Jest runs the teardown in the process of the set-up, and passes
 * nothing on to it but the global object.
 *
 * @typedef {typeof globalThis & {browserTestEndings?: (() => unknown)[]}} EndingsHolder
 */

/** Ends everything that was started, the last first. */
export async function endAll() {
  /** @type {EndingsHolder} */
  const holder = globalThis
  for (const end of (holder.browserTestEndings ?? []).splice(0).reverse()) {
    await end()
  }
}
