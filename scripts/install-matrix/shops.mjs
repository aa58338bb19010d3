import { existsSync, writeFileSync } from "node:fs"
import { join } from "node:path"

import { manage, managerVersion, NPM, readJson, YARN } from "../managers.mjs"

const react = (major) => ({ react: `^${String(major)}`, "react-dom": `^${String(major)}` })
const types = (major) => ({ "@types/react": `^${String(major)}`, "@types/react-dom": `^${String(major)}` })

const FILES = {
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
}

/**
 * Without a framework's server; `npm run test:starter` tries those with Next.js. CI takes the one with "first" in its
 * name.
 */
export const SHOPS = [
  {
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
    name: "Vite 8, TypeScript 7, React 19, nothing else, yarn 4",
    manager: YARN,
    dependencies: react(19),
    // Vite 8.4 has a dependency for Windows alone, which yarn asks for everywhere and a mirror may not have.
    devDependencies: { ...types(19), vite: "~8.3.4", typescript: "~7.0.2" },
  },
]

const SHOWN = ["react", "vite", "typescript", "react-i18next", "@tanstack/react-query"]

/** Installs the storefront package, and builds the shop with its types checked. @returns the installed versions */
export async function tryShop({ manager, dependencies, devDependencies }, { tarball, cwd, signal }) {
  const manifest = {
    ...{ name: "shop", private: true, devDependencies, ...manager.manifest },
    dependencies: { ...dependencies, "medusa-payment-crypto-storefront": `file:${tarball}` },
  }
  for (const [file, text] of Object.entries({ ...FILES, "package.json": JSON.stringify(manifest) })) {
    writeFileSync(join(cwd, file), text)
  }
  const at = { cwd, log: join(cwd, "log"), signal }
  await manage(manager, ["install"], at)
  await manage(NPM, ["exec", "--no", "--", "tsc"], at)
  await manage(NPM, ["exec", "--no", "--", "vite", "build"], at)
  const modules = join(cwd, "node_modules")
  const shown = SHOWN.filter((name) => existsSync(join(modules, name)))
  const versions = shown.map((name) => [name, readJson(join(modules, name, "package.json")).version])
  const used = { node: process.versions.node, [manager.name]: managerVersion(manager, cwd) }
  return { installed: { ...used, ...Object.fromEntries(versions) } }
}
