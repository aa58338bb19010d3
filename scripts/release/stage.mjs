import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"
import { pack } from "../tarball/npm.mjs"

/**
 * Packs one of the packages, unpacks it, and fills in what only the registry needs to know.
 *
 * @param {string} source its folder in the repository
 * @returns {string} the folder to publish
 */
export function stage(source, { directory, repository }) {
  const target = join(directory, source.replaceAll(/\W+/g, "-") || "root")
  mkdirSync(target, { recursive: true })
  // The build of this package is there already; that of the shop's is a copy of it.
  const scripts = source === "." ? ["--ignore-scripts"] : []
  const tarball = pack(join(ROOT, source), target, scripts)
  execFileSync("tar", ["-xzf", tarball, "-C", target])
  const folder = join(target, "package")

  const manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
  const {
    devDependencies: _tools,
    workspaces: _parts,
    scripts: _ours,
    allowScripts: _own,
    ...kept
  } = manifest
  const published = {
    ...kept,
    repository: {
      type: "git",
      url: `git+${repository}.git`,
      ...(source === "." ? {} : { directory: source }),
    },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(published, null, 2)}\n`)
  const readme = join(folder, "README.md")
  writeFileSync(
    readme,
    absoluteLinks(readFileSync(readme, "utf8"), { repository, version: manifest.version, source })
  )
  return folder
}

/** The registry's page knows no file of the repository: links lead to the released tag, pictures to their bytes. */
function absoluteLinks(markdown, { repository, version, source }) {
  return markdown.replace(/(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)/g, (_, picture, text, link) => {
    const path = join(source, link)
    if (!existsSync(join(ROOT, path.split("#")[0] ?? ""))) {
      throw new Error(`README.md of ${source}: ${link} leads nowhere`)
    }
    return `${picture}${text}(${repository}/${picture ? "raw" : "blob"}/v${version}/${path})`
  })
}
