const Module = require("node:module")

/** @typedef {(exported: any) => void} Change */

/** @type {{ isMeant: (file: string) => boolean, change: Change }[]} */
const changes = []
const load = Module._extensions[".js"]

Module._extensions[".js"] = (module, file) => {
  load(module, file)
  for (const { isMeant, change } of changes) {
    if (isMeant(file)) {
      change(module.exports)
    }
  }
}

/**
 * Changes what a file exports, before anybody has it.
 *
 * @param {string | RegExp} name the end of the file's path, or what its path matches
 * @param {Change} change
 */
function afterLoading(name, change) {
  changes.push({
    isMeant: (file) => (typeof name === "string" ? file.endsWith(name) : name.test(file)),
    change,
  })
}

module.exports = { afterLoading }
