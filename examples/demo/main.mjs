// `npm run demo`: a real store takes a real crypto payment from the sandbox, on this machine alone.
import { existsSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** @type {{engines: {node: string}}} */
const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))
if (!engines.node.split("||").some(isInRange)) {
  fail(`The demo needs Node ${engines.node}; this is ${process.versions.node}.`)
}
if (!existsSync(fileURLToPath(new URL("../../node_modules/@medusajs/cli/cli.js", import.meta.url)))) {
  fail("The dependencies are not installed. Run: npm ci")
}

// Imported only now: without node_modules the import itself would fail, and name a package instead of the way out.
const { runDemo } = await import("./run-demo.mjs")
process.exit(await runDemo(process.argv.slice(2)))

/**
 * No library may be used before the dependencies are known to be there.
 *
 * @param {string} range `^20.19.0` or `>=22.12.0`, as package.json has them
 */
function isInRange(range) {
  const least = range.replace(/[^\d.]/g, "")
  const { node } = process.versions
  const isSameMajor = parseInt(node) === parseInt(least)
  return node.localeCompare(least, "en", { numeric: true }) >= 0 && (isSameMajor || range.includes(">="))
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
