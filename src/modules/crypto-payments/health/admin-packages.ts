import { createRequire } from "node:module"
import path from "node:path"

/** What the admin pages share with Medusa's dashboard. A second copy has its own, empty context. */
const SHARED = ["react-router-dom", "@tanstack/react-query", "react-i18next"]

/**
 * Which packages the admin pages get from another place than the dashboard. Package managers allow that in a workspace,
 * and the pages would fail in the browser.
 *
 * @param file of the plugin, from which packages are resolved
 * @param store its folder
 * @returns nothing without a dashboard
 */
export function listForeignPackages(file: string, store = process.cwd()): string[] {
  const ours = createRequire(file)
  // With a strict layout, only the store finds the dashboard.
  const ofStore = createRequire(path.join(store, "package.json"))
  const [dashboard] = [ours, ofStore].flatMap((from) => resolveOrNothing(from, "@medusajs/dashboard") ?? [])
  if (dashboard === undefined) {
    return []
  }
  const theirs = createRequire(dashboard)
  return SHARED.filter((name) => resolveOrNothing(ours, name) !== resolveOrNothing(theirs, name))
}

function resolveOrNothing(from: NodeJS.Require, name: string): string | undefined {
  try {
    return from.resolve(name)
  } catch {
    return undefined
  }
}
