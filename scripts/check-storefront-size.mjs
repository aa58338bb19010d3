// What a shop's pages carry for crypto payments, without React: both storefront entries, minified and gzipped.
import { fileURLToPath } from "node:url"
import { gzipSync } from "node:zlib"

import { build } from "esbuild"

const BUDGET = 6 * 1024

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
const size = gzipSync(outputFiles[0]?.contents ?? "").length
const line = `storefront: ${String(size)} of ${String(BUDGET)} bytes, gzipped`
if (size > BUDGET) {
  process.stderr.write(`${line}: too much\n`)
  process.exitCode = 1
} else {
  process.stdout.write(`${line}\n`)
}
