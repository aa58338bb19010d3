import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { ROOT } from "../../examples/demo/paths.mjs"
import { manage, managerVersion, NPM, readJson, YARN } from "../managers.mjs"

/**
 * @typedef {object} Project
 * @property {string} name
 * @property {string} source the folder of the package of ours that it uses
 * @property {import("../managers.mjs").Manager} manager
 * @property {Record<string, string>} dependencies next to that package
 * @property {Record<string, string>} [devDependencies]
 * @property {Record<string, string>} files
 * @property {string[]} commands that have to succeed
 */

const react = (major) => ({ react: `^${String(major)}`, "react-dom": `^${String(major)}` })
const types = (major) => ({ "@types/react": `^${String(major)}`, "@types/react-dom": `^${String(major)}` })

const SHOP = {
  source: "packages/storefront",
  files: {
    "index.html": `<div id="root"></div><script type="module" src="/main.tsx"></script>`,
    "main.tsx": `
import { createRoot } from "react-dom/client"
import { prepareCryptoPayment, type CryptoPaymentStatus } from "medusa-payment-crypto-storefront"
import { CryptoPayButton, CryptoPaymentReturn } from "medusa-payment-crypto-storefront/react"

export const word: CryptoPaymentStatus["status"] = "paid"
// @ts-expect-error The types are really there: were they "any", this would be accepted.
export const refused: CryptoPaymentStatus["status"] = "done"
const sdk = {} as Parameters<typeof prepareCryptoPayment>[0]
createRoot(document.getElementById("root")!).render(<>
  <CryptoPayButton sdk={sdk} cartId="cart_1" />
  <CryptoPaymentReturn sdk={sdk} cartId="cart_1" onOrder={() => undefined} />
</>)
`,
    "tsconfig.json": `{ "compilerOptions": {
  "target": "ES2022", "lib": ["ES2022", "DOM", "DOM.Iterable"], "module": "ESNext", "moduleResolution": "bundler",
  "jsx": "react-jsx", "strict": true, "noEmit": true, "esModuleInterop": true, "types": []
}, "include": ["*.tsx"] }`,
    ".yarnrc.yml": "nodeLinker: node-modules\n",
  },
  commands: ["tsc", "vite build"],
}

/**
 * @type {Project[]} Without a framework's server; `npm run test:starter` tries those with Next.js. CI takes the one
 *   with "first" in its name.
 */
export const SHOPS = [
  {
    ...SHOP,
    name: "first: Vite 7, React 18, react-i18next 13, react-query 4, react-router-dom 5, npm",
    manager: NPM,
    dependencies: {
      ...react(18),
      "react-i18next": "^13.5.0",
      i18next: "^23",
      "@tanstack/react-query": "^4",
      "react-router-dom": "^5",
    },
    devDependencies: { ...types(18), vite: "^7.3.6", typescript: "^5.9.3" },
  },
  {
    ...SHOP,
    name: "Vite 8, TypeScript 7, React 19, nothing else, yarn 4",
    manager: YARN,
    dependencies: react(19),
    // Vite 8.4 has a dependency for Windows alone, which yarn asks for everywhere and a mirror may not have.
    devDependencies: { ...types(19), vite: "~8.3.4", typescript: "~7.0.2" },
  },
]

const USE_CJS = `
const assert = require("node:assert/strict")
const { verifyApprovalHash } = require("medusa-payment-crypto/gateway")

// The known answer of docs/gateway.md, computed with OpenSSL.
const hash = "fe4da7ed64fb24defdce791ec0da9ac6261a71664e8498be826dd992323aa451"
assert.equal(verifyApprovalHash({ status: "UNPAID", ref_id: null }, hash, "sandbox-secret-key"), true)
assert.throws(() => require("@medusajs/framework"), { code: "MODULE_NOT_FOUND" })
`
const USE_MJS = `
import assert from "node:assert/strict"
import { GatewayClient } from "medusa-payment-crypto/gateway"
import { startSandbox } from "medusa-payment-crypto/sandbox"

const sandbox = await startSandbox({ secretKey: "key", port: 0 })
const gateway = new GatewayClient({ baseUrl: sandbox.baseUrl })
const { paymentRequestId } = await gateway.createPaymentRequest({
  currencySymbol: "AED",
  amount: "12.90",
  successUrl: "http://localhost:8000/return",
  failedUrl: "http://localhost:8000/failed",
  payerEmailAddress: "amira@example.com",
})
assert.equal((await gateway.readPaymentRequest(paymentRequestId)).paymentStatus, "UNPAID")
assert.equal((await gateway.listPaymentRequests()).pagination.totalCount, 1)
await sandbox.close()
`
/** @type {Project[]} The gateway's client, which needs no Medusa, with the newest versions of what it depends on. */
export const PROGRAMS = [
  {
    name: "a program without Medusa, npm",
    source: ".",
    manager: NPM,
    dependencies: {},
    files: { "use.cjs": USE_CJS, "use.mjs": USE_MJS },
    commands: ["node use.cjs", "node use.mjs"],
  },
]

const SHOWN = ["react", "vite", "typescript", "react-i18next", "@tanstack/react-query", "undici", "zod"]

/**
 * Installs the project's package of ours and runs its commands.
 *
 * @param {Project} project
 * @returns {Promise<{ installed: Record<string, string> }>} versions
 */
export async function tryProject(project, { tarball, cwd, signal }) {
  const { source, manager, dependencies, devDependencies, files, commands } = project
  const { name } = readJson(join(ROOT, source, "package.json"))
  const manifest = {
    ...{ name: "project", private: true, devDependencies, ...manager.manifest },
    dependencies: { ...dependencies, [name]: `file:${tarball}` },
  }
  for (const [file, text] of Object.entries({ ...files, "package.json": JSON.stringify(manifest) })) {
    writeFileSync(join(cwd, file), text)
  }
  const at = { cwd, log: join(cwd, "log"), signal }
  await manage(manager, ["install"], at)
  for (const command of commands) {
    await manage(NPM, ["exec", "--no", "--", ...command.split(" ")], at)
  }
  const modules = join(cwd, "node_modules")
  const shown = SHOWN.filter((name) => existsSync(join(modules, name)))
  const versions = shown.map((name) => [name, readJson(join(modules, name, "package.json")).version])
  const used = { node: process.versions.node, [manager.name]: managerVersion(manager, cwd) }
  return { installed: { ...used, ...Object.fromEntries(versions) } }
}
