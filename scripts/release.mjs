/**
 * `npm run release`: publishes both packages as they are built, with provenance. `npm run release -- --dry-run` does all
 * of it except the upload. Needs a build of a commit whose version `npx changeset version` has set.
 */
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"

import { npmCommand } from "../examples/demo/commands.mjs"
import { ROOT } from "../examples/demo/paths.mjs"
import { REPOSITORY } from "./release/repository.mjs"
import { stage } from "./release/stage.mjs"
import { forgetNpmScript } from "./tarball/npm.mjs"

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, repository: { type: "string" } },
})
const isDry = values["dry-run"] ?? false
const repository = values.repository ?? REPOSITORY
const problems = []

if (!/^https:\/\/[^/]+\/[^/]+\/[^/]*[^/.](?<!\.git)$/.test(repository)) {
  problems.push(
    repository === ""
      ? "Set REPOSITORY in scripts/release/repository.mjs to the https address of the repository. A dry run also takes --repository https://host/owner/name."
      : `The repository's address must look like https://host/owner/name, without a slash or .git at the end, not ${repository}`
  )
}
requireChangelog()
if (!isDry) {
  requireCleanTree()
}
forgetNpmScript()
if (problems.length === 0) {
  publish()
}
process.stderr.write(problems.map((problem) => `${problem}\n`).join(""))
process.exitCode = problems.length > 0 ? 1 : 0

function publish() {
  const directory = mkdtempSync(join(tmpdir(), "medusa-payment-crypto-release-"))
  try {
    for (const source of ["packages/storefront", "."]) {
      const folder = stage(source, { directory, repository })
      // Provenance needs the identity of a workflow run, which a dry run does not have.
      run(["publish", folder, "--access", "public", isDry ? "--dry-run" : "--provenance"])
    }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** The changelog must say what is in this version. */
function requireChangelog() {
  const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8")
  if (!changelog.includes(`## ${version}`)) {
    problems.push(`CHANGELOG.md has no section ## ${version}. Run npx changeset version.`)
  }
}

function requireCleanTree() {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" })
  if (changed !== "") {
    problems.push(`The tree has changes that are not committed:\n${changed}`)
  }
}

function run(args) {
  const [npm = "npm", ...given] = npmCommand(args)
  execFileSync(npm, given, { cwd: ROOT, stdio: "inherit" })
}
