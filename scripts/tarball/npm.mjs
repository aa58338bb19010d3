import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { npmCommand, runCommand } from "../../examples/demo/commands.mjs"

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

export async function npm(args, { cwd, log, signal }) {
  const env = { ...process.env, MEDUSA_DISABLE_TELEMETRY: "1" }
  await runCommand({ name: `npm ${args[0] ?? ""}`, command: npmCommand(args), cwd, env, log, signal })
}

/**
 * `npm pack`, whose output a package's own scripts may change: the name of the tarball is not read from it.
 *
 * @param {string} source the package's folder
 * @param {string} target the folder for the tarball, which exists
 * @returns {string} the tarball
 */
export function pack(source, target, options = []) {
  const command = ["pack", "--loglevel", "error", ...options, "--pack-destination", target]
  const [program = "npm", ...args] = npmCommand(command)
  execFileSync(program, args, { cwd: source, stdio: ["ignore", "ignore", "inherit"] })
  const { name, version } = JSON.parse(readFileSync(join(source, "package.json"), "utf8"))
  return join(target, `${name}-${version}.tgz`)
}
