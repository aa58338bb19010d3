import { spawn } from "node:child_process"
import { once } from "node:events"

import { npmCommand } from "../examples/demo/commands.mjs"

/**
 * Runs a script of package.json to its end.
 *
 * @param {string[]} args of `npm run`
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeout?: number }} [options]
 * @returns {Promise<{ code: number | null, output: string }>}
 */
export async function npmRun(args, options = {}) {
  const [program = "", ...given] = npmCommand(["run", ...args])
  const npm = spawn(program, given, { ...options, stdio: ["ignore", "pipe", "pipe"] })
  let output = ""
  for (const stream of [npm.stdout, npm.stderr]) {
    stream.setEncoding("utf8").on("data", (/** @type {string} */ text) => (output += text))
  }
  const [code] = await once(npm, "close")
  return { code, output }
}
