// Holds the list and the size of what `npm publish` would send. Needs a build.
import { execFileSync } from "node:child_process"

import { ROOT } from "../examples/demo/paths.mjs"
import { checkContents } from "./tarball/contents.mjs"
import { npmCommand } from "../examples/demo/commands.mjs"

const [command = "npm", ...args] = npmCommand(["pack", "--dry-run", "--json", "--ignore-scripts"])
const [tarball] = JSON.parse(
  execFileSync(command, args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
)
try {
  const files = tarball.files.map(({ path }) => path)
  process.stdout.write(`tarball: ${checkContents({ files, bytes: tarball.size })}\n`)
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
