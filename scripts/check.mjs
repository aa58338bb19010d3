/**
 * `npm run check`: every `check:…` script of package.json, as many at a time as there are cores. What each says is
 * printed when it ends, and all are run, whichever fails.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { availableParallelism } from "node:os"

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
    const [program = "", ...args] = npmCommand(["run", "--silent", name])
    const npm = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"] })
    let output = ""
    for (const stream of [npm.stdout, npm.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text))
    }
    const [code] = await once(npm, "close")
    process.stdout.write(`\n== ${name}\n${output}`)
    if (code !== 0) {
      failed.push(name)
    }
  }
}
