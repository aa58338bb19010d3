const { execFileSync } = require("node:child_process")
const { dirname, join } = require("node:path")

const OXFMT = join(dirname(require.resolve("oxfmt/package.json")), "bin/oxfmt")

/**
 * The text of a file as `npm run format` would leave it.
 *
 * @param {string} file whose name and place say how it is formatted
 * @param {string} text
 */
exports.format = (file, text) =>
  execFileSync(process.execPath, [OXFMT, "--stdin-filepath", file], { input: text, encoding: "utf8" })
