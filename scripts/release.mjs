/**
 * `npm run release`: publishes both packages as they are built, with provenance. `npm run release -- --dry-run` does
 * all of it except the upload. Needs a build of a commit whose version `npx changeset version` has set.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

import { npmCommand } from "../examples/demo/commands.mjs"
import { ROOT } from "../examples/demo/paths.mjs"
import { forgetNpmScript, pack, readJson } from "./managers.mjs"

/**
 * Where this repository is published, such as "https://github.com/owner/name". `repository`, `homepage` and `bugs` of
 * both packages, and the links and pictures of the README on the registry's page, are made of it.
 */
const REPOSITORY = ""

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, repository: { type: "string", default: REPOSITORY } },
})
const { "dry-run": isDry, repository } = values
process.chdir(ROOT)
const { version } = readJson("package.json")
requireReady()
forgetNpmScript()
for (const source of ["packages/storefront", "."]) {
  const folder = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-release-"))
  try {
    const [npm = "npm", ...args] = npmCommand(["publish", stage(source, folder), "--access", "public"])
    // Provenance needs the identity of a workflow run, which a dry run does not have.
    execFileSync(npm, [...args, isDry ? "--dry-run" : "--provenance"], { stdio: "inherit" })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requireReady() {
  const changed = isDry ? "" : execFileSync("git", ["status", "--porcelain"], { encoding: "utf8" })
  const problems = [
    ...(/^https:\/\/[^/]+\/[^/]+\/[^/]*[^/.](?<!\.git)$/.test(repository)
      ? []
      : [
          `The repository's address must look like https://host/owner/name, not "${repository}". ` +
            "Set REPOSITORY in scripts/release.mjs. A dry run also takes --repository https://host/owner/name.",
        ]),
    // The changelog must say what is in this version.
    ...(readFileSync("CHANGELOG.md", "utf8").includes(`## ${version}`)
      ? []
      : [`CHANGELOG.md has no section ## ${version}. Run npx changeset version.`]),
    ...(readJson("packages/storefront/package.json").version === version
      ? []
      : [`packages/storefront/package.json has another version than ${version}. Run npx changeset version.`]),
    ...(changed === "" ? [] : [`The tree has changes that are not committed:\n${changed}`]),
  ]
  if (problems.length > 0) {
    process.stderr.write(`${problems.join("\n")}\n`)
    process.exit(1)
  }
}

/**
 * Packs one of the packages, unpacks it, and fills in what only the registry needs to know.
 *
 * @param {string} source its folder in the repository
 * @returns {string} the folder to publish
 */
function stage(source, target) {
  execFileSync("tar", ["-xzf", pack(source, target), "-C", target])
  const folder = join(target, "package")
  const manifest = readJson(join(folder, "package.json"))
  for (const ours of ["devDependencies", "workspaces", "scripts", "allowScripts"]) {
    Reflect.deleteProperty(manifest, ours)
  }
  const published = {
    ...manifest,
    repository: {
      ...{ type: "git", url: `git+${repository}.git` },
      ...(source === "." ? {} : { directory: source }),
    },
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
  }
  writeFileSync(join(folder, "package.json"), JSON.stringify(published, null, 2))
  const readme = join(folder, "README.md")
  writeFileSync(readme, absoluteLinks(source, readFileSync(readme, "utf8")))
  return folder
}

/** The registry's page knows no file of the repository: links lead to the released tag, pictures to their bytes. */
function absoluteLinks(source, markdown) {
  return markdown.replace(/(!?)(\[[^\]]*\])\((?![a-z]+:|#)([^)\s]+)\)/g, (_, picture, text, link) => {
    return `${picture}${text}(${repository}/${picture ? "raw" : "blob"}/v${version}/${join(source, link)})`
  })
}
