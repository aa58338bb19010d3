import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"

import { npmCommand, runCommand } from "../../examples/demo/commands.mjs"
import { managerVersion } from "./managers.mjs"

const SHOWN = ["react", "next", "vite", "typescript", "react-i18next", "@tanstack/react-query"]

/**
 * Installs the package into a shop and builds the shop with its types checked.
 *
 * @returns {Promise<Record<string, string>>} the versions that were installed
 */
export async function tryShop({ files, manager, manifest, build }, { tarball, cwd, signal }) {
  mkdirSync(join(cwd, "vendor"), { recursive: true })
  const vendored = `vendor/${basename(tarball)}`
  cpSync(tarball, join(cwd, vendored))
  const dependencies = {
    ...manifest.dependencies,
    "medusa-payment-crypto-storefront": `file:${vendored}`,
  }
  const all = {
    ...files,
    "package.json": JSON.stringify({ name: "shop", private: true, ...manifest, dependencies }),
  }
  for (const [file, text] of Object.entries(all)) {
    mkdirSync(dirname(join(cwd, file)), { recursive: true })
    writeFileSync(join(cwd, file), text)
  }
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1", YARN_ENABLE_TELEMETRY: "0" }
  const commands = [[...manager.words, "install", ...manager.strictly], ...build]
  for (const [index, args] of commands.entries()) {
    const log = join(cwd, `${String(index)}.log`)
    await runCommand({ name: args.join(" "), command: npmCommand(args), cwd, env, log, signal })
  }
  const own = { ...dependencies, ...manifest.devDependencies }
  const versions = SHOWN.filter((name) => name in own).map((name) => {
    const manifest = readFileSync(join(cwd, "node_modules", name, "package.json"), "utf8")
    return [name, JSON.parse(manifest).version]
  })
  return {
    node: process.versions.node,
    [manager.name]: managerVersion(manager, cwd),
    ...Object.fromEntries(versions),
  }
}
