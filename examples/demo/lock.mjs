import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/**
 * @param {number} pid of the process that made the lock. In a container that was started again it may be this process
 * @param {string} command
 */
function isAlive(pid, command) {
  if (pid === process.pid) {
    return false
  }
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it runs, as another user.
    if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EPERM") {
      return false
    }
  }
  const commandLine = `/proc/${String(pid)}/cmdline`
  return !existsSync(commandLine) || readFileSync(commandLine, "utf8").includes(command)
}

/**
 * Two processes would build into the same folders. The lock of a process that was killed is taken over.
 *
 * @param {string} file
 * @param {string} command what the command line of a process with such a lock contains
 * @param {(pid: number) => Error} describe what another process' lock means
 * @returns {() => void} releases it
 */
export function takeLock(file, command, describe) {
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
    if (pid > 0 && isAlive(pid, command)) {
      throw describe(pid)
    }
    rmSync(file, { force: true })
  }
}
