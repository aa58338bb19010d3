import { createRequire } from "node:module"

import { OLDEST_MEDUSA } from "./try-store.mjs"

const require = createRequire(import.meta.url)
const { engines, peerDependencies } = require("../../package.json")
const { peerDependencies: ofShop } = require("../../packages/storefront/package.json")

const MEDUSA = OLDEST_MEDUSA.replace(/\.0$/, "")
const CANARY = "[canary](docs/testing.md#the-canary)"

/** A bar would end the cell. */
const words = (range) => range.replaceAll(" || ", " or ")

/**
 * The README's table: what the packages declare, and what the install matrix has really installed.
 *
 * @param {import("./report.mjs").Row[]} stored
 * @returns {string[][]} with its head
 */
export function versionsTable(stored) {
  /** Versions of a package or a program in shops and stores that work, oldest first; of both kinds unless told. */
  const tested = (name, kind) => {
    const rows = stored.filter((row) => kind === undefined || row.kind === kind)
    const versions = new Set(rows.flatMap(({ installed }) => installed[name] ?? []))
    const sorted = [...versions].sort((one, other) => one.localeCompare(other, "en", { numeric: true }))
    return sorted.join(", ") || "not yet"
  }
  return [
    ["", "supported", "[tested with](docs/internals/tests.md#the-install-matrix)"],
    ["Medusa", `${MEDUSA}; newer ones are tried by the ${CANARY}`, tested("@medusajs/medusa", "store")],
    ["Node", words(engines.node), tested("node")],
    [
      "`react-router-dom` in the store",
      words(peerDependencies["react-router-dom"]),
      tested("react-router-dom", "store"),
    ],
    ["React in the shop", words(ofShop.react), tested("react", "shop")],
    [
      "Next.js and Vite in the shop",
      "not limited",
      `Next.js ${tested("next", "shop")}; Vite ${tested("vite", "shop")}`,
    ],
    ...["store", "shop"].map((kind) => [
      `npm, pnpm, yarn in the ${kind}`,
      "not limited",
      ["npm", "pnpm", "yarn"].map((name) => `${name} ${tested(name, kind)}`).join("; "),
    ]),
    ["currencies of a payment", "AED, USD", "AED, USD"],
  ]
}
