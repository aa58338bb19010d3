import { defineConfig } from "tsup"

export default defineConfig({
  entry: { index: "sandbox/index.ts", cli: "sandbox/cli.ts" },
  outDir: "dist/sandbox",
  format: "cjs",
  target: "node20",
  dts: { entry: { index: "sandbox/index.ts" } },
  clean: true,
  tsconfig: "tsconfig.check.json",
})
