/**
 * Fails when what browsers load outgrows its budget, in kB and gzipped. Needs a build. What the dashboard brings itself
 * (React, its components, react-query) is not in the admin's bundle and not counted.
 */
import { readFileSync } from "node:fs"
import { resolve } from "node:path"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

const ADMIN = ".medusa/server/src/admin"
// What a shop's pages carry for crypto payments, without React: both storefront entries, minified.
const { outputFiles } = await build({
  stdin: {
    contents: `export * from "./index.mjs"\nexport * from "./react.mjs"`,
    resolveDir: resolve("dist/storefront"),
  },
  ...{ bundle: true, minify: true, write: false, charset: "utf8", format: "esm", target: "es2022" },
  external: ["react", "react/jsx-runtime"],
})

for (const [name, contents, budgetKb] of [
  // Every merchant's browser loads it with the first page of the admin. Its modules are in the order of the folder on the
  // disk, which makes a difference of 100 bytes.
  ["admin bundle", readFileSync(`${ADMIN}/index.mjs`), 46],
  // Loaded by browsers that show Arabic, besides the bundle.
  ["Arabic of the admin", readFileSync(`${ADMIN}/ar.mjs`), 18],
  ["storefront bundle", outputFiles[0].contents, 10],
]) {
  const size = gzipSync(contents).length
  process.stdout.write(`${name}: ${size} of ${budgetKb * 1024} bytes, gzipped\n`)
  if (size > budgetKb * 1024) {
    process.stderr.write(`The ${name} is too large. Leave something out, or argue for a larger budget.\n`)
    process.exitCode = 1
  }
}
