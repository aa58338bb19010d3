import { defineConfig, type Options } from "tsup"

/** The React entry calls the framework-free one instead of carrying a copy of it. */
const besideReact: NonNullable<Options["esbuildPlugins"]>[number] = {
  name: "storefront-beside-react",
  setup: (build) => {
    const file = build.initialOptions.format === "esm" ? "./index.mjs" : "./index.js"
    build.onResolve({ filter: /^\.\.\/index$/ }, () => ({ path: file, external: true }))
  },
}

const storefront: Options = {
  outDir: "dist/storefront",
  format: ["esm", "cjs"],
  target: "es2022",
  platform: "neutral",
  splitting: false,
  minifySyntax: true,
  esbuildOptions: (options) => {
    options.charset = "utf8"
  },
  tsconfig: "storefront/tsconfig.json",
}

export default defineConfig([
  {
    entry: { index: "sandbox/index.ts", cli: "sandbox/cli.ts" },
    outDir: "dist/sandbox",
    format: "cjs",
    target: "node20",
    dts: { entry: { index: "sandbox/index.ts" } },
    clean: true,
    tsconfig: "tsconfig.json",
  },
  {
    ...storefront,
    entry: { index: "storefront/index.ts" },
    dts: true,
  },
  {
    ...storefront,
    entry: { react: "storefront/react/index.ts" },
    dts: true,
    external: ["react", "react/jsx-runtime"],
    // Next.js takes the components for client components by this line.
    banner: { js: '"use client";' },
    esbuildPlugins: [besideReact],
  },
])
