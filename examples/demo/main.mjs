// `npm run demo`: a real store takes a real crypto payment from the sandbox, on this machine alone.
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  fail(`The demo needs Node 20.19 or newer; this is ${process.version}.`)
}
if (!existsSync(fileURLToPath(new URL("../../node_modules/@medusajs/cli/cli.js", import.meta.url)))) {
  fail("The dependencies are not installed. Run: npm ci")
}

// Imported only now: without node_modules the import itself would fail, and name a package instead of the way out.
const { runDemo } = await import("./run-demo.mjs")
process.exit(await runDemo(process.argv.slice(2)))

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
