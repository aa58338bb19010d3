/**
 * Fails when the admin's pages outgrow their budget: every merchant's browser loads them with the first page of the admin.
 * Needs a build. What the dashboard brings itself (React, its components, react-query) is not in the bundle and not counted.
 */
import { readFileSync } from "node:fs"
import { gzipSync } from "node:zlib"

const BUNDLE = ".medusa/server/src/admin/index.mjs"
const BUDGET_KB = 45

const kilobytes = gzipSync(readFileSync(BUNDLE)).length / 1024
const verdict = `${kilobytes.toFixed(1)} kB gzipped, of ${String(BUDGET_KB)} kB`
if (kilobytes > BUDGET_KB) {
  process.stderr.write(
    `The admin bundle is too large: ${verdict}. Leave something out, or argue for a larger budget.\n`
  )
  process.exitCode = 1
} else {
  process.stdout.write(`The admin bundle is ${verdict}.\n`)
}
