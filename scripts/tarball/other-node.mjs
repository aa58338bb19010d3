import { delimiter, join } from "node:path"

import { npmCommand } from "../../examples/demo/commands.mjs"

const PACKAGE = `node-${process.platform}-${process.arch}`

/**
 * Another Node than the one at hand is a package of the npm registry.
 *
 * @param {string} directory it is installed here
 * @returns {{ command: string[], node: string }} what installs it, and where it is then
 */
export function otherNode(version, directory) {
  const options = ["--no-save", "--no-audit", "--no-fund"]
  return {
    command: npmCommand(["install", "--prefix", directory, ...options, `${PACKAGE}@${version}`]),
    node: join(directory, "node_modules", PACKAGE, "bin", "node"),
  }
}

/** @returns {string} a PATH on which it is the first, for what is started by the name of `node` */
export function pathWith(folder) {
  return `${folder}${delimiter}${String(process.env["PATH"])}`
}
