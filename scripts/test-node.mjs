/**
 * `npm run test:node`: the unit tests and the checkout, with the build there is, on another Node than the one at hand.
 * That Node is a package of the npm registry; `npm run test:node -- 24.21.0` takes another version of it.
 */
import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"

import { npmCommand } from "../examples/demo/commands.mjs"
import { forgetNpmScript } from "./tarball/npm.mjs"

const version = process.argv[2] ?? "22.23.3"
const packageName = `node-${process.platform}-${process.arch}`
const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-node-"))
const bin = join(directory, "node_modules", packageName, "bin")
const JEST = ["--experimental-vm-modules", join("node_modules", "jest", "bin", "jest.js"), "--silent"]

forgetNpmScript()
try {
  const [npm = "npm", ...args] = npmCommand([
    "install",
    "--prefix",
    directory,
    "--no-save",
    "--no-audit",
    "--no-fund",
  ])
  run(npm, [...args, `${packageName}@${version}`])
  const node = join(bin, "node")
  run(node, ["--version"])
  run(node, [...JEST, "--selectProjects", "unit"])
  run(node, [...JEST, "--selectProjects", "integration", "--testPathPattern", "http/checkout.spec"])
} finally {
  rmSync(directory, { recursive: true, force: true })
}

/**
 * @param {string} command
 * @param {string[]} args
 */
function run(command, args) {
  // First on the PATH, for what a test starts by the name of `node`.
  const env = { ...process.env, PATH: `${bin}${delimiter}${String(process.env["PATH"])}` }
  const { status, error } = spawnSync(command, args, { stdio: "inherit", env })
  if (status !== 0) {
    throw error ?? new Error(`${command} ${args.join(" ")} ended with ${String(status)}.`)
  }
}
