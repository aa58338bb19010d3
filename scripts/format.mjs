import { execFileSync } from "node:child_process"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const OXFMT = join(dirname(createRequire(import.meta.url).resolve("oxfmt/package.json")), "bin/oxfmt")

/**
 * The text of a file as `npm run format` would leave it.
 *
 * @param {string} file whose name and place say how it is formatted
 */
export function format(file, text) {
  return execFileSync(process.execPath, [OXFMT, "--stdin-filepath", file], { input: text, encoding: "utf8" })
}
