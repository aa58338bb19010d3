/**
 * Fails when the table of supported versions in the README is not what the packages declare and the stored install
 * matrix has installed, and when a row of the matrix, such as the oldest Medusa of the range, failed or is not stored.
 * `npm run check:versions -- --write` writes the table.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"

import { format } from "./format.mjs"
import { testedVersions, unprovenNames } from "./install-matrix/report.mjs"
import { SHOPS } from "./install-matrix/shops.mjs"
import { OLDEST_MEDUSA, STORES } from "./install-matrix/try-store.mjs"

const require = createRequire(import.meta.url)
const FILE = "README.md"
const TABLE = /(<!-- versions[^>]*-->\n)(.*?)(\n<!-- \/versions -->)/s

const { engines, peerDependencies } = require("../package.json")
const { peerDependencies: ofShop } = require("../packages/storefront/package.json")

const MEDUSA = OLDEST_MEDUSA.replace(/\.0$/, "")
const CANARY = "[canary](docs/testing.md#the-canary)"

/** A bar would end the cell. */
const words = (range) => range.replaceAll(" || ", " or ")
const tested = (name, kind) => testedVersions(name, kind).join(", ") || "not yet"

const rows = [
  ["", "supported", "[tested with](docs/internals/tests.md#the-install-matrix)"],
  ["---", "---", "---"],
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
const readme = readFileSync(FILE, "utf8")
const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
const written = format(
  FILE,
  readme.replace(TABLE, (_, begin, _old, end) => `${begin}\n${table}\n${end}`)
)
if (!TABLE.test(readme)) {
  process.stderr.write(`${FILE} has no table of versions.\n`)
  process.exitCode = 1
} else if (process.argv.includes("--write")) {
  writeFileSync(FILE, written)
} else if (readme !== written) {
  process.stderr.write(`${FILE}: the table of versions is old. Run npm run check:versions -- --write\n`)
  process.exitCode = 1
}
const unproven = unprovenNames([...SHOPS, ...STORES])
if (unproven.length > 0) {
  process.stderr.write(
    `These rows of the install matrix failed or have no stored result. Run npm run test:install-matrix -- --report\n`
  )
  process.stderr.write(unproven.map((name) => `  ${name}\n`).join(""))
  process.exitCode = 1
}
