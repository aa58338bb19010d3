import { execFileSync } from "node:child_process"
import { readdirSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"
import { npm } from "./npm.mjs"

const WANTED = [
  "package.json",
  "README.md",
  "LICENSE",
  "CHANGELOG.md",
  "medusa-plugin.json",
  "dist/sandbox/cli.js",
  "dist/sandbox/index.js",
  "dist/sandbox/index.d.ts",
  "dist/storefront/index.js",
  "dist/storefront/index.mjs",
  "dist/storefront/index.d.ts",
  "dist/storefront/index.d.mts",
  "dist/storefront/react.js",
  "dist/storefront/react.mjs",
  "dist/storefront/react.d.ts",
  "dist/storefront/react.d.mts",
  ".medusa/server/src/admin/index.js",
  ".medusa/server/src/admin/index.mjs",
  ".medusa/server/src/api/middlewares.js",
  ".medusa/server/src/gateway/index.d.ts",
  ".medusa/server/src/gateway/index.js",
  ".medusa/server/src/modules/crypto-payments/index.js",
  ".medusa/server/src/providers/crypto/index.js",
  ".medusa/server/src/workflows/index.js",
]

/** Compiled code below the three folders, and the five files beside them. */
const ALLOWED =
  /^(\.medusa\/server\/src\/.+\.(js|mjs|d\.ts)|dist\/(sandbox|storefront)\/[^/]+\.(m?js|d\.m?ts)|[^/]+\.(json|md)|LICENSE)$/
const TEST = /\.spec\.|__tests__|testing-kit|fixtures/

/**
 * @typedef {object} Place
 * @property {string} directory everything is made in here
 * @property {string} logs
 * @property {AbortSignal} signal
 */

/**
 * Builds and packs this repository, and looks at what is inside.
 *
 * @param {Place} at
 * @returns {Promise<string>} the tarball
 */
export async function packTarball({ directory, logs, signal }) {
  await npm(["pack", "--pack-destination", directory], { cwd: ROOT, log: join(logs, "pack.log"), signal })
  const name = readdirSync(directory).find((file) => file.endsWith(".tgz"))
  if (name === undefined) {
    throw new Error("npm pack made no tarball")
  }
  const tarball = join(directory, name)
  checkContents(
    execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
      .trim()
      .split("\n")
      .map((file) => file.replace(/^package\//, ""))
  )
  return tarball
}

/** @param {string[]} files */
function checkContents(files) {
  const missing = WANTED.filter((file) => !files.includes(file))
  const unwanted = files.filter((file) => !ALLOWED.test(file) || TEST.test(file))
  if (missing.length > 0 || unwanted.length > 0) {
    throw new Error(
      `The tarball is not what a store needs.\n  missing  ${missing.join(" ")}\n  unwanted ${unwanted.join(" ")}`
    )
  }
}
