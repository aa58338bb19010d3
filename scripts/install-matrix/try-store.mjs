import { mkdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { runCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { step } from "../../examples/demo/progress.mjs"
import { startBrowser } from "../../integration-tests/browser/setup/browser.mjs"
import { NEWER_NODE, NEWEST_NODE } from "../node-versions.mjs"
import { otherNode } from "../tarball/other-node.mjs"
import { takePayment } from "../tarball/take-payment.mjs"
import { openAdminPages } from "./admin-pages.mjs"
import { managerVersion, NPM, PNPM, YARN } from "./managers.mjs"
import { StarterStore } from "./store.mjs"

const { devDependencies, peerDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"))
/** The first version of the range that the package allows. */
export const OLDEST_MEDUSA = peerDependencies["@medusajs/medusa"].replace("^", "")
const SHOWN = ["@medusajs/medusa", "react", "react-router-dom"]

/**
 * @typedef {object} Store
 * @property {string} name
 * @property {import("./managers.mjs").Manager} manager
 * @property {string} [node] a version; this process's unless told
 * @property {string} [medusa] a version; that of this repository unless told
 */

/** @type {Store[]} One per package manager, and one for the oldest Medusa that the README names. */
export const STORES = [
  { name: "first: a new Medusa store, npm", manager: NPM },
  { name: `a new Medusa store, pnpm, Node ${NEWEST_NODE}`, manager: PNPM, node: NEWEST_NODE },
  { name: `a new Medusa store, yarn 4, Node ${NEWER_NODE}`, manager: YARN, node: NEWER_NODE },
  { name: `the oldest Medusa, ${OLDEST_MEDUSA}, npm`, manager: NPM, medusa: OLDEST_MEDUSA },
]

/**
 * Installs the plugin into a store, builds it with its admin, takes a payment there, and opens the admin's pages.
 *
 * @returns {Promise<Record<string, string>>} the versions that were installed
 */
export async function tryStore(
  { manager, node: version, medusa = devDependencies["@medusajs/medusa"] },
  { tarball, directory, signal }
) {
  const logs = join(directory, "logs")
  mkdirSync(logs, { recursive: true })
  const at = { directory, logs, signal }
  const endings = []
  try {
    const node = version === undefined ? undefined : await installNode(version, at)
    const store = new StarterStore(join(directory, "store"), manager, { ...at, tarball, medusa, node })
    await step("Install the store", () => store.installWithoutPlugin())
    await step("Install the plugin", () => store.addPlugin())
    const running = await takePayment(store, { ...at, withAdmin: true, endings })
    const browser = await startBrowser()
    endings.push(() => browser.close())
    const opened = () => openAdminPages(browser.wsEndpoint(), running, signal)
    await step("Open pages in the admin", opened, (count) => `${String(count)} pages`)
    return {
      node: version ?? process.versions.node,
      [manager.name]: managerVersion(manager, store.root),
      ...Object.fromEntries(SHOWN.map((name) => [name, store.versionOf(name)])),
    }
  } finally {
    for (const end of endings.reverse()) {
      await end()
    }
  }
}

async function installNode(version, { directory, logs, signal }) {
  const { command, node } = otherNode(version, join(directory, "node"))
  const log = join(logs, "node.log")
  await step(`Install Node ${version}`, () =>
    runCommand({ name: "npm install", command, cwd: directory, env: process.env, log, signal })
  )
  return node
}
