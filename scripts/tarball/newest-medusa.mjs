import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { npmCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"

/**
 * The highest version of Medusa 2 of which the registry has every package that a store names, previews included. A
 * mirror may have a preview of some of them only.
 *
 * @returns {Promise<string>}
 */
export async function newestPublished() {
  /** @type {{ dependencies: Record<string, string> }} */
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, "examples/store/package.json"), "utf8"))
  const [first = [], ...others] = Object.keys(dependencies)
    .filter((name) => name.startsWith("@medusajs/"))
    .map(publishedVersions)
  const newest = first
    .filter((version) => version.startsWith("2.") && others.every((versions) => versions.includes(version)))
    .map((version) => ({ version, base: version.split("-")[0] ?? "", date: version.split("-").at(-1) ?? "" }))
    .sort(
      (one, other) =>
        other.base.localeCompare(one.base, "en", { numeric: true }) ||
        // A release comes after its previews.
        Number(one.version.includes("-")) - Number(other.version.includes("-")) ||
        other.date.localeCompare(one.date)
    )[0]
  if (newest === undefined) {
    throw new Error("The registry has no Medusa 2")
  }
  return newest.version
}

/**
 * @param {string} name of a package
 * @returns {string[]}
 */
function publishedVersions(name) {
  const [npm = "npm", ...args] = npmCommand(["view", name, "versions", "--json"])
  return JSON.parse(execFileSync(npm, args, { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))
}
