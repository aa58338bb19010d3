import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { npmCommand, runCommand } from "../examples/demo/commands.mjs"

const exec = (name, program) => ["exec", "--yes", "--package", name, "--", program]

/**
 * @typedef {object} Manager
 * @property {"npm" | "pnpm" | "yarn"} name
 * @property {string[]} words for npm, which brings the others from the registry
 * @property {string} add its word for one more package
 * @property {object} [manifest] what a project that uses it needs in its package.json
 */

export const NPM = { name: "npm", words: [], add: "install" }
export const PNPM = { name: "pnpm", words: exec("pnpm@10", "pnpm"), add: "add" }
export const YARN = {
  name: "yarn",
  words: exec("@yarnpkg/cli-dist@4", "yarn"),
  add: "add",
  // Yarn asks the registry for a package's builds for all systems. A mirror may not have all of the newest yet.
  manifest: {
    resolutions: {
      "@swc/core": "1.16.18",
      "msgpackr-extract": "3.0.3",
      rollup: "4.67.4",
      turbo: "2.11.9",
    },
  },
}

const ENVIRONMENT = {
  MEDUSA_DISABLE_TELEMETRY: "1",
  YARN_ENABLE_TELEMETRY: "0",
  // A project of these tests has no lock file yet, or gets one package more.
  YARN_ENABLE_IMMUTABLE_INSTALLS: "false",
  npm_config_frozen_lockfile: "false",
  // The version that is already there, and not another one from the registry.
  npm_config_manage_package_manager_versions: "false",
  npm_config_audit: "false",
  npm_config_fund: "false",
}

/**
 * @param {Manager} manager
 * @param {string[]} args
 * @param {{ cwd: string, log: string, signal: AbortSignal, env?: NodeJS.ProcessEnv }} at
 */
export async function manage(manager, args, { env = process.env, ...at }) {
  const name = [manager.name, ...args].join(" ")
  const command = npmCommand([...manager.words, ...args])
  await runCommand({ name, command, env: { ...env, ...ENVIRONMENT }, ...at })
}

/**
 * @param {string} cwd of a project that uses it
 * @returns {string} the version that npm has brought
 */
export function managerVersion({ words }, cwd) {
  const [npm = "npm", ...args] = npmCommand([...words, "--version"])
  const env = { ...process.env, ...ENVIRONMENT }
  return execFileSync(npm, args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim()
}

/** Kept, because they say where packages come from and not which project this is. */
const ABOUT_THE_REGISTRY = /^npm_(execpath$|config_(registry|cache|userconfig|globalconfig)$)/i

/** What `npm run` tells its scripts about this repository must not reach an npm that works elsewhere. */
export function forgetNpmScript() {
  for (const name of Object.keys(process.env)) {
    if (/^npm_/i.test(name) && !ABOUT_THE_REGISTRY.test(name)) {
      Reflect.deleteProperty(process.env, name)
    }
  }
}

/**
 * `npm pack`, whose output a package's own scripts may change: the name of the tarball is not read from it.
 *
 * @param {string} source the package's folder; the root is packed as it is built
 * @param {string} target the folder for the tarball, which exists
 * @returns {string} the tarball
 */
export function pack(source, target) {
  const { name, version, scripts } = readJson(join(source, "package.json"))
  const options = scripts.prepack === "npm run build" ? ["--ignore-scripts"] : []
  const [npm = "npm", ...args] = npmCommand(["pack", "--loglevel", "error", ...options])
  execFileSync(npm, [...args, "--pack-destination", target], {
    cwd: source,
    stdio: ["ignore", "ignore", "inherit"],
  })
  return join(target, `${name}-${version}.tgz`)
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}
