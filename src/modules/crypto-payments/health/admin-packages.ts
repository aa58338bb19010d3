import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import path from "node:path"

/**
 * What the admin pages share with Medusa's dashboard. A second copy has its own, empty context. Of React, Medusa's build
 * of the admin takes only one copy.
 */
const SHARED = ["react-router-dom", "@tanstack/react-query", "react-i18next"]

/**
 * Which packages the admin pages get from another place than the dashboard, with both versions. Package managers allow
 * that in a workspace, and the pages would fail in the browser.
 *
 * @param file of the plugin, from which packages are resolved
 * @param store its folder
 * @returns nothing without a dashboard; `ours` is null where the plugin finds none
 */
export function listForeignPackages(file: string, store = process.cwd()) {
  const ours = createRequire(file)
  // The store's first: a plugin that is linked from elsewhere may find another one, and in a strict layout none.
  const ofStore = createRequire(path.join(store, "package.json"))
  const [dashboard] = [ofStore, ours].flatMap((from) => manifestOf(from, "@medusajs/dashboard") ?? [])
  const theirs = dashboard && createRequire(dashboard)
  return SHARED.flatMap((name) => {
    const [found, expected] = [manifestOf(ours, name), theirs && manifestOf(theirs, name)]
    return expected === undefined || found === expected
      ? []
      : [{ name, ours: found === undefined ? null : versionIn(found), theirs: versionIn(expected) }]
  })
}

function manifestOf(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(`${name}/package.json`)
  } catch {
    return undefined
  }
}

const versionIn = (manifest: string): string =>
  (JSON.parse(readFileSync(manifest, "utf8")) as { version: string }).version
