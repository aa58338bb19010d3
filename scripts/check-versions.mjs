/**
 * Fails when the table of supported versions in the README is not what the packages declare and the stored install
 * matrix has installed, and when the oldest Medusa of the range was not tested. `npm run check:versions -- --write`
 * writes the table.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"

import { format } from "./format.mjs"
import { testedVersions } from "./install-matrix/report.mjs"
import { OLDEST_MEDUSA } from "./install-matrix/try-store.mjs"

const require = createRequire(import.meta.url)
const FILE = "README.md"
const TABLE = /(<!-- versions[^>]*-->\n)(.*?)(\n<!-- \/versions -->)/s

const { engines, peerDependencies } = require("../package.json")
const { peerDependencies: ofShop } = require("../packages/storefront/package.json")

/** A bar would end the cell. */
/** @type {(range: string) => string} */
const words = (range) => range.replaceAll(" || ", " or ")
/** @type {(name: string, kind?: "shop" | "store") => string} */
const tested = (name, kind) => testedVersions(name, kind).join(", ") || "not yet"

const rows = [
  ["", "supported", "tested with"],
  ["---", "---", "---"],
  ["Medusa", words(peerDependencies["@medusajs/medusa"]), tested("@medusajs/medusa", "store")],
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
const source = `The [install matrix](docs/internals/tests.md#the-install-matrix) has tried the versions of the last column.`
const readme = readFileSync(FILE, "utf8")
const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n")
const written = format(
  FILE,
  readme.replace(TABLE, (_, begin, _old, end) => `${begin}\n${table}\n\n${source}\n${end}`)
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
if (!testedVersions("@medusajs/medusa", "store").includes(OLDEST_MEDUSA)) {
  process.stderr.write(
    `${FILE} promises Medusa ${OLDEST_MEDUSA}, and no stored run has tested it. Run npm run test:install-matrix -- oldest --report\n`
  )
  process.exitCode = 1
}
