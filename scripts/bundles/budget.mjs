import { gzipSync } from "node:zlib"

/**
 * Says how large a bundle is once it is gzipped, and fails the process when that is more than its budget.
 *
 * @param {number} budget in bytes
 */
export function holdBudget(name, contents, budget) {
  const size = gzipSync(contents).length
  process.stdout.write(`${name}: ${String(size)} of ${String(budget)} bytes, gzipped\n`)
  if (size > budget) {
    process.stderr.write(`The ${name} is too large. Leave something out, or argue for a larger budget.\n`)
    process.exitCode = 1
  }
}
