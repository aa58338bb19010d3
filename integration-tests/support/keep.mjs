import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"

/**
 * @typedef {object} KeepOptions
 * @property {string[][]} commands run in this order; a failing one ends the sequence
 * @property {string} [cwd]
 * @property {number} [uid] run as this user, with `gid`
 * @property {number} [gid]
 * @property {string} [log] file the output is appended to
 * @property {string[]} [remove] paths removed when everything has ended
 * @property {NodeJS.Signals} [stopSignal] first signal of an orderly stop; SIGKILL follows after five seconds
 */

/**
 * @typedef {object} Kept
 * @property {(signal?: NodeJS.Signals) => Promise<void>} stop ends the commands and waits until they are gone; safe to repeat
 * @property {Promise<{code: number, tail: string}>} ended settles however it ends; `tail` is the last output of a failed command
 * @property {() => boolean} alive
 */

const KEEPER = fileURLToPath(new URL("./keeper.mjs", import.meta.url))

/**
 * Runs commands that cannot outlive this process, even when it is killed. See `keeper.mjs`.
 *
 * @param {KeepOptions & {env?: NodeJS.ProcessEnv}} options
 * @returns {Kept}
 */
export function keep({ env = process.env, ...options }) {
  const keeper = spawn(process.execPath, [KEEPER, JSON.stringify(options)], {
    env,
    detached: true,
    stdio: ["pipe", "ignore", "pipe"],
  })
  // Writing is never needed; an error here only says that the keeper is gone, which `ended` tells.
  keeper.stdin.on("error", () => undefined)
  let tail = ""
  keeper.stderr.on("data", (chunk) => (tail += String(chunk)))

  let alive = true
  /** @type {Kept["ended"]} */
  const ended = new Promise((resolve) => {
    keeper.on("error", (error) => resolve({ code: 1, tail: error.message }))
    keeper.on("close", (code) => resolve({ code: code ?? 1, tail }))
  })
  void ended.then(() => (alive = false))

  return {
    ended,
    alive: () => alive,
    stop: async (signal) => {
      keeper.stdin.end(signal)
      await ended
    },
  }
}
