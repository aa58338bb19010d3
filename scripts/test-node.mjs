/**
 * `npm run test:node`: the unit tests and the checkout, with the build there is, on another Node than the one at hand.
 * That Node is a package of the npm registry; `npm run test:node -- 24.21.0` takes another version of it.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

import { NEWER_NODE } from "./node-versions.mjs"
import { forgetNpmScript } from "./tarball/npm.mjs"
import { otherNode, pathWith } from "./tarball/other-node.mjs"

const [version = NEWER_NODE] = process.argv.slice(2)
const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-node-"))
const JEST = ["--experimental-vm-modules", join("node_modules", "jest", "bin", "jest.js"), "--silent"]

forgetNpmScript()
const { command, node } = otherNode(version, directory)
try {
  const [npm = "npm", ...args] = command
  run(npm, args)
  run(node, ["--version"])
  run(node, [...JEST, "--selectProjects", "unit"])
  run(node, [...JEST, "--selectProjects", "integration", "--testPathPattern", "http/checkout/checkout.spec"])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

function run(program, args) {
  const env = { ...process.env, PATH: pathWith(dirname(node)) }
  const { status, error } = spawnSync(program, args, { stdio: "inherit", env })
  if (status !== 0) {
    throw error ?? new Error(`${program} ${args.join(" ")} ended with ${String(status)}.`)
  }
}
