import { keep } from "../../integration-tests/support/keep.mjs"
import { DemoProblem } from "./demo-problem.mjs"

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
 * npm's own entry when npm started us: on some machines `npm` is not on the PATH of a child.
 *
 * @param {string[]} args
 * @returns {string[]}
 */
export function npmCommand(args) {
  const path = process.env["npm_execpath"]
  return [...(path?.endsWith(".js") ? [process.execPath, path] : ["npm"]), ...args]
}
