import { execFileSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const OXFMT = join(dirname(createRequire(import.meta.url).resolve("oxfmt/package.json")), "bin/oxfmt")

/**
 * Writes a file that is made of others, as `npm run format` leaves it. With `--check` the script only compares, and
 * fails.
 *
 * @param {string} command what writes it
 */
export function writeOrCheck(file, text, command) {
  const words = [OXFMT, "--stdin-filepath", file]
  const written = execFileSync(process.execPath, words, { input: text, encoding: "utf8" })
  if (!process.argv.includes("--check")) {
    writeFileSync(file, written)
  } else if (readFileSync(file, "utf8") !== written) {
    process.stderr.write(`${file} has drifted from its source. Run ${command} and commit it.\n`)
    process.exitCode = 1
  }
}
