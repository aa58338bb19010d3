import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

import { DemoProblem } from "./demo-problem.mjs"

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM"
  }
}

/**
 * Two demos would build into the same folders. The lock of a demo that was killed is taken over.
 *
 * @param {string} file
 * @returns {() => void} releases it
 */
export function takeLock(file) {
  mkdirSync(dirname(file), { recursive: true })
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: "wx" })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") {
        throw error
      }
    }
    const pid = Number(readFileSync(file, "utf8"))
    if (pid > 0 && isAlive(pid)) {
      throw new DemoProblem(
        `The demo already runs here, as process ${String(pid)}. End it with Ctrl-C in its terminal ` +
          `(or: kill ${String(pid)}). If that process is something else, delete ${file}`
      )
    }
    rmSync(file, { force: true })
  }
}
