// Holds the list and the size of what `npm publish` would send, and leaves it in PACKED for others. Needs a build.
import { mkdirSync, renameSync } from "node:fs"
import path from "node:path"

import { ROOT } from "../examples/demo/paths.mjs"
import { checkContents } from "./tarball/contents.mjs"
import { pack } from "./tarball/npm.mjs"

const PACKED = path.join(ROOT, "reports/package.tgz")

const folder = path.dirname(PACKED)
mkdirSync(folder, { recursive: true })
renameSync(pack(ROOT, folder, ["--ignore-scripts"]), PACKED)
try {
  process.stdout.write(`tarball: ${checkContents(PACKED)}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
