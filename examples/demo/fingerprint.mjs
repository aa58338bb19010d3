import { createHash } from "node:crypto"
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const IGNORED = new Set(["node_modules", ".medusa", "dist"])

/**
 * @param {string} path
 * @param {boolean} all also what is never a source, as in an output folder
 * @returns {string[]}
 */
function filesBelow(path, all) {
  if (!existsSync(path)) {
    return []
  }
  if (!statSync(path).isDirectory()) {
    return [path]
  }
  return readdirSync(path)
    .filter((name) => all || !IGNORED.has(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name), all))
}

/** @param {string[]} paths */
function contentHash(paths) {
  const hash = createHash("sha256")
  for (const file of paths.flatMap((path) => filesBelow(path, false))) {
    hash.update(file).update("\0").update(readFileSync(file)).update("\0")
  }
  return hash.digest("hex")
}

/** @param {string[]} paths */
function outputHash(paths) {
  const hash = createHash("sha256")
  for (const file of paths.flatMap((path) => filesBelow(path, true))) {
    const { size, mtimeMs } = statSync(file)
    hash.update(`${file}\0${String(size)}\0${String(mtimeMs)}\0`)
  }
  return hash.digest("hex")
}

/**
 * Remembers that `outputs` were built from `inputs`. Both sides are looked at: a build by other hands, or half a
 * build, makes the stamp worthless.
 *
 * @param {string} file where it is remembered
 * @param {{inputs: string[], outputs: string[], variant?: string}} build
 */
export function buildStamp(file, { inputs, outputs, variant = "" }) {
  const current = () => `${variant}:${contentHash(inputs)}:${outputHash(outputs)}`
  return {
    isCurrent: () => existsSync(file) && readFileSync(file, "utf8") === current(),
    write: () => {
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, current())
    },
  }
}
