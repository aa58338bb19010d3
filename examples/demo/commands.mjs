import { existsSync, readFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"

import { keep } from "../../integration-tests/support/keep.mjs"
import { DemoProblem } from "./demo-problem.mjs"

// It takes seconds; minutes on a busy machine. A store that waits for a database that does not answer never ends by itself.
const READY_WITHIN_MS = 300_000

/**
 * @typedef {object} Command
 * @property {string} name as shown when it fails
 * @property {string[]} command
 * @property {string} cwd
 * @property {NodeJS.ProcessEnv} env
 * @property {string} log file that takes its output
 * @property {AbortSignal} signal
 */

/**
 * Runs a command to its end; an abort ends it with all its children first.
 *
 * @param {Command} options
 */
export async function runCommand({ name, command, cwd, env, log, signal }) {
  signal.throwIfAborted()
  const kept = keep({ commands: [command], cwd, env, log })
  const stop = () => void kept.stop()
  signal.addEventListener("abort", stop)
  const { code, tail } = await kept.ended
  signal.removeEventListener("abort", stop)
  signal.throwIfAborted()
  if (code !== 0) {
    throw new DemoProblem(`${name} failed. The end of ${log}:\n\n${tail}`)
  }
}

/**
 * Waits until a process has written that it is ready; otherwise ends it. Its own log says so: whatever answers on its
 * port could be somebody else's.
 *
 * @param {import("../../integration-tests/support/keep.mjs").Kept} kept
 * @param {{name: string, log: string, ready: RegExp, signal: AbortSignal}} options
 * @returns {Promise<RegExpExecArray>} what `ready` matches
 */
export async function untilReady(kept, { name, log, ready, signal }) {
  const deadline = Date.now() + READY_WITHIN_MS
  try {
    for (;;) {
      const found = existsSync(log) ? ready.exec(readFileSync(log, "utf8")) : null
      if (found !== null) {
        return found
      }
      if (!kept.alive()) {
        const { tail } = await kept.ended
        throw new DemoProblem(`${name} did not start. The end of ${log}:\n\n${tail}`)
      }
      if (Date.now() > deadline) {
        throw new DemoProblem(`${name} has not started within five minutes. Its output is in ${log}.`)
      }
      await sleep(100, undefined, { signal })
    }
  } catch (error) {
    await kept.stop()
    throw error
  }
}

/** What Medusa logs once it listens. */
export const STORE_READY = /Server is ready on port/

/**
 * npm's own entry when npm started us: on some machines `npm` is not on the PATH of a child.
 *
 * @param {string[]} args
 * @returns {string[]}
 */
export function npmCommand(args) {
  const path = process.env["npm_execpath"]
  return [...(path?.endsWith(".js") ? [process.execPath, path] : ["npm"]), ...args]
}
