import { NPM, resolutionsFor, YARN } from "./managers.mjs"

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
const react = (major) => ({ react: `^${String(major)}`, "react-dom": `^${String(major)}` })
const types = (major) => ({
  "@types/react": `^${String(major)}`,
  "@types/react-dom": `^${String(major)}`,
  typescript: "^5.9.3",
})
const BUILD_VITE = [
  ["exec", "--no", "--", "tsc"],
  ["exec", "--no", "--", "vite", "build"],
]

/** @type {Shop[]} Without a framework's server; `npm run test:starter` tries those with Next.js. CI takes the one with "first" in its name. */
export const SHOPS = [
  {
    name: "first: Vite 7, React 18, react-i18next 13, react-query 4, react-router-dom 5, npm",
    manager: NPM,
    manifest: {
      dependencies: {
        ...react(18),
        "react-i18next": "^13.5.0",
        i18next: "^23",
        "@tanstack/react-query": "^4",
        "react-router-dom": "^5",
      },
      devDependencies: { ...types(18), vite: "^7.3.6" },
    },
    files: VITE_FILES,
    build: BUILD_VITE,
  },
  {
    name: "Vite 8, TypeScript 7, React 19, nothing else, yarn 4",
    manager: YARN,
    manifest: {
      dependencies: react(19),
      // Vite 8.4 has a dependency for Windows alone, which yarn asks for everywhere and a mirror may not have.
      devDependencies: { ...types(19), vite: "~8.3.4", typescript: "~7.0.2" },
      ...resolutionsFor("yarn"),
    },
    files: { ...VITE_FILES, ".yarnrc.yml": "nodeLinker: node-modules\n", "yarn.lock": "" },
    build: BUILD_VITE,
  },
]
