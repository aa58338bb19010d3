// Holds the list and the size of what `npm publish` would send, and leaves it in PACKED for others. Needs a build.
import { execFileSync } from "node:child_process"
import { mkdirSync, renameSync } from "node:fs"
import path from "node:path"

import { ROOT } from "../examples/demo/paths.mjs"
import { checkContents } from "./tarball/contents.mjs"
import { npmCommand } from "../examples/demo/commands.mjs"

const PACKED = path.join(ROOT, "reports/package.tgz")

const folder = path.dirname(PACKED)
mkdirSync(folder, { recursive: true })
const [command = "npm", ...args] = npmCommand([
  "pack",
  "--json",
  "--ignore-scripts",
  "--pack-destination",
  folder,
])
const [tarball] = JSON.parse(
  execFileSync(command, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
)
renameSync(path.join(folder, tarball.filename), PACKED)
try {
  const files = tarball.files.map(({ path }) => path)
  process.stdout.write(`tarball: ${checkContents({ files, bytes: tarball.size })}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
