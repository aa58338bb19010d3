/** What a shop's pages carry for crypto payments, without React: both storefront entries, minified and gzipped. Needs a build. */
import { fileURLToPath } from "node:url"

import { build } from "esbuild"

import { holdBudget } from "./bundles/budget.mjs"

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
holdBudget("storefront bundle", outputFiles[0]?.contents ?? "", 8 * 1024)
