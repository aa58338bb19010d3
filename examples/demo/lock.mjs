import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

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
 * Two processes would build into the same folders. The lock of a process that was killed is taken over.
 *
 * @param {string} file
 * @param {(pid: number) => Error} describe what another process' lock means
 * @returns {() => void} releases it
 */
export function takeLock(file, describe) {
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
      throw describe(pid)
    }
    rmSync(file, { force: true })
  }
}
