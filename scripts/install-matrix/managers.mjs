import { execFileSync } from "node:child_process"

import { npmCommand } from "../../examples/demo/commands.mjs"

/**
 * @typedef {object} Manager
 * @property {"npm" | "pnpm" | "yarn"} name
 * @property {string[]} words for npm, which brings the others from the registry
 * @property {string[]} strictly options of an installation that hides no conflict
 */

const exec = (name, program) => ["exec", "--yes", "--package", name, "--", program]

export const NPM = { name: "npm", words: [], strictly: ["--no-audit", "--no-fund"] }
export const PNPM = {
  name: "pnpm",
  words: exec("pnpm@10", "pnpm"),
  strictly: ["--config.hoist=false", "--config.strict-peer-dependencies=true", "--no-frozen-lockfile"],
}
export const YARN = {
  name: "yarn",
  words: exec("@yarnpkg/cli-dist@4", "yarn"),
  strictly: ["--no-immutable"],
}

const COMPLETE = {
  "@swc/core": "1.16.18",
  "msgpackr-extract": "3.0.3",
  rollup: "4.67.4",
  turbo: "2.11.9",
}

/**
 * Yarn asks the registry for a package's builds for all systems, npm and pnpm only for this one. A mirror may not have
 * all of the newest yet.
 *
 * @returns {{ resolutions?: Record<string, string> }} for the manifest
 */
export function resolutionsFor(name) {
  return name === "yarn" ? { resolutions: COMPLETE } : {}
}

/**
 * @param {string} cwd of a project that uses it
 * @returns {string} the version that npm has brought
 */
export function managerVersion({ words }, cwd) {
  const [npm = "npm", ...args] = npmCommand([...words, "--version"])
  return execFileSync(npm, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
}
