import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"

import { npmCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"

const { dependencies } = JSON.parse(readFileSync(join(ROOT, "examples/store/package.json"), "utf8"))
const PACKAGES = Object.keys(dependencies).filter((name) => name.startsWith("@medusajs/"))

/** The version that this repository uses. */
export const OWN_MEDUSA = dependencies["@medusajs/medusa"] ?? ""

/** @returns {Record<string, string>} that version of every package of Medusa's that a store names */
export function everyPackage(version) {
  return Object.fromEntries(PACKAGES.map((name) => [name, version]))
}

/**
 * The newest Medusa 2 that is published, previews included. Snapshots are not: they may be of any branch. A mirror may
 * have a preview of some packages only: the others have their newest release.
 *
 * @returns {Promise<Record<string, string>>} the version of each package of Medusa's that a store names
 */
export async function newestPublished() {
  const [newest = ""] = publishedVersions("@medusajs/medusa")
  return Object.fromEntries(
    PACKAGES.map((name) => {
      const versions = publishedVersions(name)
      const release = versions.find((version) => !version.includes("-"))
      return [name, versions.includes(newest) ? newest : (release ?? newest)]
    })
  )
}

/**
 * @param {string} name of a package
 * @returns {string[]} of Medusa 2, newest first
 */
function publishedVersions(name) {
  const [npm = "npm", ...args] = npmCommand(["view", name, "versions", "--json"])
  const versions = JSON.parse(
    execFileSync(npm, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] })
  )
  return versions
    .filter((version) => version.startsWith("2.") && !version.includes("-snapshot-"))
    .map((version) => ({ version, base: version.split("-")[0] ?? "", date: version.split("-").at(-1) ?? "" }))
    .sort(
      (one, other) =>
        other.base.localeCompare(one.base, "en", { numeric: true }) ||
        // A release comes after its previews.
        Number(one.version.includes("-")) - Number(other.version.includes("-")) ||
        other.date.localeCompare(one.date)
    )
    .map(({ version }) => version)
}
