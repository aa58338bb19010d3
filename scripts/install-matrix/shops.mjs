import { readFileSync } from "node:fs"

import { NPM, PNPM, resolutionsFor, YARN, YARN_1 } from "./managers.mjs"
import { recipeFiles } from "./recipe.mjs"

/**
 * @typedef {object} Shop
 * @property {string} name
 * @property {import("./managers.mjs").Manager} manager
 * @property {{dependencies: Record<string, string>, devDependencies?: Record<string, string>, resolutions?: Record<string, string>}} manifest
 * @property {Record<string, string>} files
 * @property {string[][]} build commands for npm
 */

const PAGE = `
import { prepareCryptoPayment, type CryptoPaymentStatus } from "medusa-payment-crypto-storefront"
import { CryptoPayButton, CryptoPaymentReturn } from "medusa-payment-crypto-storefront/react"

type Sdk = Parameters<typeof prepareCryptoPayment>[0]
export const word: CryptoPaymentStatus["status"] = "paid"
// @ts-expect-error The types are really there: were they "any", this would be accepted.
export const refused: CryptoPaymentStatus["status"] = "done"

export function Checkout({ sdk }: { sdk: Sdk }) {
  return <><CryptoPayButton sdk={sdk} cartId="cart_1" /><CryptoPaymentReturn sdk={sdk} cartId="cart_1" onOrder={() => undefined} /></>
}
`
const COMPILER_OPTIONS = {
  target: "ES2022",
  lib: ["ES2022", "DOM", "DOM.Iterable"],
  module: "ESNext",
  moduleResolution: "bundler",
  jsx: "react-jsx",
  strict: true,
  noEmit: true,
  esModuleInterop: true,
}
const VITE_FILES = {
  "index.html": `<div id="root"></div><script type="module" src="/src/main.tsx"></script>`,
  "src/checkout.tsx": PAGE,
  "src/main.tsx": `
import { createRoot } from "react-dom/client"
import { Checkout } from "./checkout"
createRoot(document.getElementById("root")!).render(<Checkout sdk={{} as never} />)
`,
  "tsconfig.json": JSON.stringify({ compilerOptions: { ...COMPILER_OPTIONS, types: [] }, include: ["src"] }),
}
const NEXT_FILES = {
  ...recipeFiles(),
  "src/app/layout.tsx": `
import type { ReactNode } from "react"
export default function Layout({ children }: { children: ReactNode }) { return <html><body>{children}</body></html> }
`,
  "src/app/checkout.tsx": `"use client"\n${PAGE}`,
  "src/app/page.tsx": `
import { Checkout } from "./checkout"
export default function Page() { return <Checkout sdk={{} as never} /> }
`,
  // As the starter has it.
  "tsconfig.json": JSON.stringify({
    compilerOptions: {
      ...COMPILER_OPTIONS,
      moduleResolution: "node",
      skipLibCheck: true,
      baseUrl: "./src",
      paths: { "@lib/*": ["lib/*"], "@modules/*": ["modules/*"] },
    },
    include: ["next-env.d.ts", "src"],
  }),
  "next.config.mjs": "export default {}\n",
}
const { devDependencies: ours } = JSON.parse(
  readFileSync(new URL("../../package.json", import.meta.url), "utf8")
)
const MEDUSA = { "@medusajs/js-sdk": ours["@medusajs/js-sdk"], "@medusajs/types": ours["@medusajs/js-sdk"] }

/** @type {(major: 18 | 19) => Record<string, string>} */
const react = (major) => ({ react: `^${String(major)}`, "react-dom": `^${String(major)}` })
/** @type {(major: 18 | 19) => Record<string, string>} */
const types = (major) => ({
  "@types/react": `^${String(major)}`,
  "@types/react-dom": `^${String(major)}`,
  typescript: "^5.9.3",
})
const VITE_7 = { vite: "^7.3.6" }
const VITE_8 = { vite: "^8.3.4" }
/** react-i18next takes TypeScript 7 from its version 17 on. */
const CREATE_VITE_9 = { ...VITE_8, typescript: "~7.0.2" }

const BUILD_VITE = [
  ["exec", "--no", "--", "tsc"],
  ["exec", "--no", "--", "vite", "build"],
]
const BUILD_NEXT = [["exec", "--no", "--", "next", "build"]]

/** @type {(name: string, manager: import("./managers.mjs").Manager, major: 18 | 19, tools: Record<string, string>, others?: Record<string, string>) => Shop} */
const viteShop = (name, manager, major, tools, others = {}) => ({
  name,
  manager,
  manifest: {
    dependencies: { ...react(major), ...others },
    devDependencies: { ...types(major), ...tools },
    ...resolutionsFor(manager.name),
  },
  files: {
    ...VITE_FILES,
    ...(manager === YARN ? { ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" } : {}),
  },
  build: BUILD_VITE,
})
/** @type {(name: string, manager: import("./managers.mjs").Manager, major: 18 | 19, next: string, others?: Record<string, string>) => Shop} */
const nextShop = (name, manager, major, next, others = {}) => ({
  name,
  manager,
  manifest: {
    dependencies: { next, ...react(major), ...MEDUSA, ...others },
    devDependencies: { ...types(major), "@types/node": "^22" },
  },
  files: NEXT_FILES,
  build: BUILD_NEXT,
})

/** Shops as they are found. CI takes the one with "first" in its name. */
export const SHOPS = [
  viteShop(
    "first: Vite 7, React 18, react-i18next 13, react-query 4, react-router-dom 5, npm",
    NPM,
    18,
    VITE_7,
    {
      "react-i18next": "^13.5.0",
      i18next: "^23",
      "@tanstack/react-query": "^4",
      "react-router-dom": "^5",
    }
  ),
  viteShop(
    "Vite 8, React 19, react-i18next 15, react-query 5, react-router-dom 7, pnpm strict",
    PNPM,
    19,
    VITE_8,
    {
      "react-i18next": "^15",
      i18next: "^24",
      "@tanstack/react-query": "^5",
      "react-router-dom": "^7",
    }
  ),
  viteShop("Vite 8, React 19, react-i18next 16, react-query 5, react-router-dom 6, npm", NPM, 19, VITE_8, {
    "react-i18next": "^16",
    i18next: "^25",
    "@tanstack/react-query": "^5",
    "react-router-dom": "^6",
  }),
  viteShop("Vite 7, React 18, react-i18next 14, yarn 1", YARN_1, 18, VITE_7, {
    "react-i18next": "^14",
    i18next: "^23",
  }),
  viteShop("Vite 8, TypeScript 7, React 19, react-i18next 18, npm", NPM, 19, CREATE_VITE_9, {
    "react-i18next": "^18",
    i18next: "^27",
  }),
  viteShop("Vite 8, TypeScript 7, React 19, nothing else, yarn 4", YARN, 19, CREATE_VITE_9),
  nextShop("Next.js 15, React 19, react-i18next 15, npm", NPM, 19, "^15", {
    "react-i18next": "^15",
    i18next: "^24",
  }),
  nextShop("Next.js 15, React 18, react-query 4, pnpm strict", PNPM, 18, "^15", {
    "@tanstack/react-query": "^4",
  }),
  nextShop("Next.js 16, React 19, npm", NPM, 19, "^16"),
  nextShop("Next.js 16, React 19, react-query 5, pnpm strict", PNPM, 19, "^16", {
    "@tanstack/react-query": "^5",
  }),
]
