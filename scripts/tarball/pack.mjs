import { mkdirSync } from "node:fs"

import { buildPlugin } from "../../examples/demo/builds.mjs"
import { LOGS, ROOT } from "../../examples/demo/paths.mjs"
import { checkContents } from "./contents.mjs"
import { pack } from "./npm.mjs"

/**
 * @typedef {object} Place
 * @property {string} directory everything is made in here
 * @property {string} logs
 * @property {AbortSignal} signal
 */

/**
 * Builds this repository unless it is built already, packs it, and looks at what is inside.
 *
 * @returns {Promise<string>} the tarball
 */
export async function packTarball({ directory, signal }) {
  mkdirSync(LOGS, { recursive: true })
  await buildPlugin(signal)
  // Without its own build: what the demo has built a moment ago is the same.
  const tarball = pack(ROOT, directory, ["--ignore-scripts"])
  checkContents(tarball)
  return tarball
}
