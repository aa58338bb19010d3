/**
 * Makes the built admin bundle smaller: Medusa's plugin build leaves names, spaces and escaped Arabic as they are. Every
 * merchant's browser loads the bundle. The Arabic texts are a file of their own, which only a browser that shows Arabic loads;
 * the build gives that file no ending, and here it gets one. Needs a build.
 */
import { readFileSync, rmSync, writeFileSync } from "node:fs"

import { transformSync } from "esbuild"

const ADMIN = ".medusa/server/src/admin"
const CHUNK = /\.\/_chunks\/([a-z]+)-[\w-]+/g

for (const [ending, format] of [
  ["mjs", "esm"],
  ["js", "cjs"],
]) {
  const index = readFileSync(`${ADMIN}/index.${ending}`, "utf8")
  for (const [path, name] of index.matchAll(CHUNK)) {
    minify(`${name}.${ending}`, readFileSync(`${ADMIN}/${path}`, "utf8"), format)
  }
  minify(`index.${ending}`, index.replace(CHUNK, `./$1.${ending}`), format)
}
rmSync(`${ADMIN}/_chunks`, { recursive: true })

function minify(name, text, format) {
  const { code } = transformSync(text, { minify: true, charset: "utf8", format, target: "es2022" })
  writeFileSync(`${ADMIN}/${name}`, code)
}
