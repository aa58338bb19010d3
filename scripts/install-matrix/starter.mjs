/**
 * The store that `create-medusa-app` makes, of its template as it was in July 2026: the folders, the manifests and the
 * settings that decide how packages are installed and found. Its sources are the example store's. It has no storefront.
 *
 * @see https://github.com/medusajs/dtc-starter
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"
import { resolutionsFor } from "./managers.mjs"

/** `create-medusa-app --version` sets the version of every package of Medusa's but this one. */
const UI = "4.2.0"
const WORKSPACES = ["apps/**", "!apps/backend/.medusa/**"]
/** What the template pins. Its router is not the one of the dashboard: the README says what to do. */
const PINNED = {
  "@tanstack/react-query": "5.64.2",
  "react-i18next": "13.5.0",
  "react-router-dom": "6.30.4",
}

/** @typedef {"npm" | "pnpm" | "yarn"} PackageManager */

/**
 * @param {string} folder that becomes the store's
 * @returns {string} the folder with medusa-config.ts
 */
export function writeStarter(folder, { manager, medusa }) {
  const files = {
    ...ROOT_FILES[manager],
    ".npmrc": "auto-install-peers=true\n",
    "package.json": json(rootManifest(manager)),
    "apps/backend/package.json": json(backendManifest(medusa)),
    "apps/backend/tsconfig.json": json(TSCONFIG),
    "apps/backend/medusa-config.ts": medusaConfig(),
  }
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return join(folder, "apps/backend")
}

const ROOT_FILES = {
  npm: {},
  pnpm: { "pnpm-workspace.yaml": `packages:\n${WORKSPACES.map((path) => `  - "${path}"\n`).join("")}` },
  yarn: { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
}

function rootManifest(manager) {
  const reactTypes = { "@types/react": "19.0.5", "@types/react-dom": "19.0.5" }
  const tools = {
    "@medusajs/eslint-plugin": "2.16.0",
    eslint: "^9.39.4",
    jiti: "^2.7.0",
    prettier: "^3.2.5",
    turbo: "^2.0.14",
  }
  const base = { name: "store", private: false, engines: { node: ">=20" }, pnpm: { overrides: reactTypes } }
  if (manager === "pnpm") {
    return { ...base, devDependencies: tools }
  }
  if (manager === "yarn") {
    return { ...base, ...resolutionsFor(manager), workspaces: WORKSPACES, devDependencies: tools }
  }
  // It pins two versions of ajv for npm, which keeps only one of them at the root.
  const ajv = { ajv: "^6.12.4" }
  return {
    ...base,
    workspaces: WORKSPACES,
    devDependencies: { ...tools, ajv: "^8.13.0" },
    overrides: { eslint: ajv, "@eslint/eslintrc": ajv },
  }
}

/** @param {string} medusa a version */
function backendManifest(medusa) {
  const ofMedusa = ["admin-sdk", "admin-shared", "caching", "cli", "dashboard", "draft-order"]
  return {
    name: "@dtc/backend",
    version: "0.0.1",
    engines: { node: ">=20" },
    dependencies: {
      ...Object.fromEntries(
        [...ofMedusa, "framework", "medusa"].map((name) => [`@medusajs/${name}`, medusa])
      ),
      "@medusajs/ui": UI,
      ...PINNED,
      zod: "4.2.0",
    },
    devDependencies: {
      "@medusajs/test-utils": medusa,
      "@swc/core": "^1.7.28",
      "@swc/jest": "^0.2.36",
      "@types/jest": "^29.5.13",
      "@types/node": "^20.12.11",
      "@types/react": "^18.3.2",
      "@types/react-dom": "^18.2.25",
      jest: "^29.7.0",
      "prop-types": "^15.8.1",
      react: "^18.3.1",
      "react-dom": "^18.3.1",
      "ts-node": "^10.9.2",
      typescript: "^5.6.2",
      vite: "^5.4.14",
      yalc: "^1.0.0-pre.53",
    },
  }
}

const TSCONFIG = {
  compilerOptions: {
    target: "ES2021",
    module: "Node16",
    moduleResolution: "Node16",
    esModuleInterop: true,
    emitDecoratorMetadata: true,
    experimentalDecorators: true,
    skipLibCheck: true,
    declaration: false,
    inlineSourceMap: true,
    outDir: "./.medusa/server",
    rootDir: "./",
    jsx: "react-jsx",
    resolveJsonModule: true,
    strictNullChecks: true,
  },
  "ts-node": { swc: true },
  include: ["**/*", ".medusa/types/*"],
  exclude: ["node_modules", ".medusa/server", ".medusa/admin", ".cache"],
}

/** The template's settings with what the README adds to them. */
function medusaConfig() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8")
  const [, added] =
    /```ts\n\/\/ medusa-config\.ts\nmodule\.exports = defineConfig\(\{\n {2}\/\/ …\n([^]*?)\}\)\n```/.exec(
      readme
    ) ?? []
  if (added === undefined) {
    throw new Error("The README shows no medusa-config.ts any more")
  }
  return `import { loadEnv, defineConfig } from "@medusajs/framework/utils"

loadEnv(process.env.NODE_ENV || "development", process.cwd())

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // Here the admin is opened over http, where a secure cookie never comes back.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: {
      storeCors: process.env.STORE_CORS!,
      adminCors: process.env.ADMIN_CORS!,
      authCors: process.env.AUTH_CORS!,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
${added}})
`
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`
}
