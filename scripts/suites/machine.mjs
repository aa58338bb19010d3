import { statfsSync } from "node:fs"
import { join } from "node:path"

import { takeLock as take } from "../../examples/demo/lock.mjs"
import { dataFolder, ENOUGH_BYTES } from "../../integration-tests/support/postgres.user.mjs"

const LEAST_FREE_BYTES = 6e9

/** What is built is here. The stores' databases are in memory if enough of it is free, otherwise on the disk. */
export function requireDisk() {
  for (const { folder, least } of [
    { folder: ".", least: LEAST_FREE_BYTES },
    { folder: dataFolder(), least: ENOUGH_BYTES },
  ]) {
    if (freeDisk(folder) < least) {
      throw new Error(
        `${gb(freeDisk(folder))} GB of disk are free at ${folder}, and the suites need ${gb(least)}. Remove something.`
      )
    }
  }
}

/** One run at a time in a checkout: two would build into the same folders. */
export function takeLock(folder) {
  const file = join(folder, "suites.lock")
  const release = take(
    file,
    "run-suites",
    (pid) =>
      new Error(
        `Another run of the suites is under way in this checkout, as process ${pid}. Wait for it or end it. ` +
          `If that process is something else, delete ${file}`
      )
  )
  process.once("exit", release)
}

function freeDisk(folder) {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

const gb = (bytes) => (bytes / 1e9).toFixed(1)
