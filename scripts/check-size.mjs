/**
 * Fails when what browsers load outgrows its budget. Needs a build. What the dashboard brings itself (React, its components,
 * react-query) is not in the admin's bundle and not counted.
 */
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

const ADMIN = ".medusa/server/src/admin"

// Every merchant's browser loads it with the first page of the admin.
holdBudget("admin bundle", readFileSync(`${ADMIN}/index.mjs`), 45)
// Loaded by browsers that show Arabic, besides the bundle.
holdBudget("Arabic of the admin", readFileSync(`${ADMIN}/ar.mjs`), 18)

// What a shop's pages carry for crypto payments, without React: both storefront entries, minified.
const { outputFiles } = await build({
  stdin: {
    contents: `export * from "./index.mjs"\nexport * from "./react.mjs"`,
    resolveDir: fileURLToPath(new URL("../dist/storefront", import.meta.url)),
  },
  bundle: true,
  minify: true,
  charset: "utf8",
  format: "esm",
  target: "es2022",
  external: ["react", "react/jsx-runtime"],
  write: false,
  logLevel: "error",
})
holdBudget("storefront bundle", outputFiles[0].contents, 9)

function holdBudget(name, contents, budgetKb) {
  const size = gzipSync(contents).length
  process.stdout.write(`${name}: ${size} of ${budgetKb * 1024} bytes, gzipped\n`)
  if (size > budgetKb * 1024) {
    process.stderr.write(`The ${name} is too large. Leave something out, or argue for a larger budget.\n`)
    process.exitCode = 1
  }
}
