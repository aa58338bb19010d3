/**
 * Refuses a tarball of `npm pack` that is not exactly the bundles, what each source file compiles to, and the files
 * next to them: a file too many may be a test or a secret, one too few breaks a store. Needs a build, and leaves the
 * tarball in reports/package.tgz for publint and attw.
 */
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"

import { pack, readJson } from "./managers.mjs"

const PACKED = "reports/package.tgz"
const BUDGET_KB = 880
const BESIDE_THE_CODE = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "medusa-plugin.json"]
const BUNDLES = [
  ...["index.js", "index.mjs", "ar.js", "ar.mjs"].map((name) => `.medusa/server/src/admin/${name}`),
  ...["cli.js", "index.js", "index.d.ts"].map((name) => `dist/sandbox/${name}`),
  ...["index", "react"].flatMap((entry) =>
    [".js", ".mjs", ".d.ts", ".d.mts"].map((ending) => `dist/storefront/${entry}${ending}`)
  ),
]
const { dependencies, peerDependencies } = readJson("package.json")

mkdirSync("reports", { recursive: true })
renameSync(pack(".", "reports"), PACKED)
const listed = execFileSync("tar", ["-tzf", PACKED], { encoding: "utf8" }).trim().split("\n")
const files = listed.map((file) => file.replace(/^package\//, ""))
const wanted = [...BESIDE_THE_CODE, ...docs(), ...BUNDLES, ...compiledFiles()]
refuse(
  "It lacks",
  wanted.filter((file) => !files.includes(file))
)
refuse(
  "It should not have",
  files.filter((file) => !wanted.includes(file))
)
// A type of a package that is not declared is `any` in a store with a strict layout.
const types = files.filter((file) => /\.d\.m?ts$/.test(file))
refuse("Its types import what package.json does not declare", types.flatMap(undeclaredImports))
const kilobytes = statSync(PACKED).size / 1024
refuse(
  `It may have ${BUDGET_KB} kB. Leave something out, or argue for more`,
  kilobytes > BUDGET_KB ? [kilobytes] : []
)
process.stdout.write(`tarball: ${files.length} files, ${kilobytes.toFixed()} of ${BUDGET_KB} kB\n`)

function refuse(problem, what) {
  if (what.length > 0) {
    process.stderr.write(`The tarball is not what a store needs. ${problem}:\n  ${what.join("\n  ")}\n`)
    process.exitCode = 1
  }
}

/** The pages that README and log lines send a merchant to, without their pictures. */
function docs() {
  const names = readdirSync("docs", { recursive: true })
  return names.filter((name) => name.endsWith(".md")).map((name) => `docs/${name}`)
}

/** What the build makes of the sources, file by file; the admin becomes a bundle. */
function compiledFiles() {
  return readdirSync("src", { recursive: true })
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !file.startsWith("admin/"))
    .flatMap((file) => [".js", ".d.ts"].map((ending) => `.medusa/server/src/${file.slice(0, -3)}${ending}`))
}

function undeclaredImports(file) {
  const text = readFileSync(file, "utf8")
  return [...text.matchAll(/(?:^(?:import|export) [^;]*?from |^import |import\()["'](@?[^./"'][^"']*)["']/gm)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"))
    .filter((name) => !(name in dependencies) && !(name in peerDependencies))
    .map((name) => `${name} in ${file}`)
}
