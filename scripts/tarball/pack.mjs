import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"

import { buildPlugin } from "../../examples/demo/builds.mjs"
import { LOGS, ROOT } from "../../examples/demo/paths.mjs"
import { checkContents } from "./contents.mjs"
import { npm } from "./npm.mjs"

/**
 * @typedef {object} Place
 * @property {string} directory everything is made in here
 * @property {string} logs
 * @property {AbortSignal} signal
 */

/**
 * Builds this repository unless it is built already, packs it, and looks at what is inside.
 *
 * @param {Place} at
 * @returns {Promise<string>} the tarball
 */
export async function packTarball({ directory, logs, signal }) {
  mkdirSync(LOGS, { recursive: true })
  await buildPlugin(signal)
  // Without its own build: what the demo has built a moment ago is the same.
  const args = ["pack", "--ignore-scripts", "--pack-destination", directory]
  await npm(args, { cwd: ROOT, log: join(logs, "pack.log"), signal })
  const name = readdirSync(directory).find((file) => file.endsWith(".tgz"))
  if (name === undefined) {
    throw new Error("npm pack made no tarball")
  }
  const tarball = join(directory, name)
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((file) => file.replace(/^package\//, ""))
  checkContents({ files, bytes: statSync(tarball).size })
  return tarball
}
