/**
 * `npm run check`: every `check:…` script of package.json, as many at a time as there are cores. What each says is
 * printed when it ends, and all are run, whichever fails.
 */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"
import { promisify } from "node:util"

import { npmCommand } from "../examples/demo/commands.mjs"

const { scripts } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"))
const left = Object.keys(scripts).filter((name) => name.startsWith("check:"))
const failed = []

await Promise.all(Array.from({ length: availableParallelism() }, runNext))
if (failed.length > 0) {
  process.stdout.write(`Failed: ${failed.join(", ")}\n`)
  process.exitCode = 1
}

async function runNext() {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const [npm = "", ...args] = npmCommand(["run", "--silent", name])
    const { stdout, stderr, code } = await promisify(execFile)(npm, args, { maxBuffer: Infinity }).catch(
      (error) => error
    )
    process.stdout.write(`\n== ${name}\n${stdout}${stderr}`)
    failed.push(...(code === undefined ? [] : [name]))
  }
}
