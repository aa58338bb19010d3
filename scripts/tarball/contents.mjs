import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
const BUDGET_KB = 860

const BESIDE_THE_CODE = ["package.json", "README.md", "LICENSE", "CHANGELOG.md", "medusa-plugin.json"]
const BUNDLES = [
  ...["index.js", "index.mjs", "ar.js", "ar.mjs"].map((name) => `.medusa/server/src/admin/${name}`),
  ...["cli.js", "index.js", "index.d.ts"].map((name) => `dist/sandbox/${name}`),
  ...["index", "react"].flatMap((entry) =>
    [".js", ".mjs", ".d.ts", ".d.mts"].map((ending) => `dist/storefront/${entry}${ending}`)
  ),
]

/**
 * Refuses a tarball that is not exactly the bundles, what each source file compiles to, and the files next to them: a file too
 * many may be a test or a secret, one too few breaks a store. A type of a package that is not declared is `any` in a
 * store with a strict layout.
 *
 * @returns {string} what it holds, for people
 */
export function checkContents(tarball) {
  const files = execFileSync("tar", ["-tzf", tarball], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((file) => file.replace(/^package\//, ""))
  const wanted = new Set([...BESIDE_THE_CODE, ...docs(), ...BUNDLES, ...compiledFiles()])
  const missing = [...wanted].filter((file) => !files.includes(file))
  const unwanted = files.filter((file) => !wanted.has(file))
  if (missing.length > 0 || unwanted.length > 0) {
    throw new Error(
      `The tarball is not what a store needs.\n  missing  ${missing.join(" ")}\n  unwanted ${unwanted.join(" ")}`
    )
  }
  const undeclared = files.filter((file) => /\.d\.m?ts$/.test(file)).flatMap(undeclaredImports)
  if (undeclared.length > 0) {
    throw new Error(`The types import what package.json does not declare:\n  ${undeclared.join("\n  ")}`)
  }
  const kilobytes = statSync(tarball).size / 1024
  const verdict = `${String(files.length)} files, ${kilobytes.toFixed(0)} of ${String(BUDGET_KB)} kB`
  if (kilobytes > BUDGET_KB) {
    throw new Error(
      `The tarball is too large: ${verdict}. Leave something out, or argue for a larger budget.`
    )
  }
  return verdict
}

/** The pages that README and log lines send a merchant to, without their pictures. */
function docs() {
  return readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".md"))
    .map((file) => `docs/${file}`)
}

/** What the build makes of the sources, file by file; the admin becomes a bundle. */
function compiledFiles() {
  return readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
    .filter((file) => /(?<!\.spec|\.d)\.ts$/.test(file) && !file.startsWith("admin/"))
    .flatMap((file) => [".js", ".d.ts"].map((ending) => `.medusa/server/src/${file.slice(0, -3)}${ending}`))
}

/** @param {string} file of the tarball, as it lies in this repository */
function undeclaredImports(file) {
  const text = readFileSync(join(ROOT, file), "utf8")
  return [...text.matchAll(/(?:^(?:import|export) [^;]*?from |^import |import\()["'](@?[^./"'][^"']*)["']/gm)]
    .map(([, specifier = ""]) => specifier)
    .filter((specifier) => !isBuiltin(specifier))
    .map((specifier) => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"))
    .filter((name) => !(name in dependencies) && !(name in peerDependencies))
    .map((name) => `${name} in ${file}`)
}
