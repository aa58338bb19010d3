import { execFileSync } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

import { npmCommand, runCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { managerVersion } from "./managers.mjs"

const SHOWN = ["react", "next", "vite", "typescript", "react-i18next", "@tanstack/react-query"]

/**
 * @param {string} directory
 * @returns {string} the package for shops, in there
 */
export function packStorefront(directory) {
  mkdirSync(directory)
  const [npm = "npm", ...args] = npmCommand(["pack", "--loglevel", "error", "--pack-destination", directory])
  execFileSync(npm, args, { cwd: join(ROOT, "packages/storefront"), stdio: ["ignore", "ignore", "inherit"] })
  return readdirSync(directory).find((name) => name.endsWith(".tgz")) ?? ""
}

/**
 * Installs the package into a shop and builds the shop with its types checked.
 *
 * @param {import("./shops.mjs").Shop} shop
 * @param {{packed: string, tarball: string, cwd: string, signal: AbortSignal}} at `packed` is the folder of the tarball
 * @returns {Promise<Record<string, string>>} the versions that were installed
 */
export async function tryShop({ files, manager, manifest, build }, { packed, tarball, cwd, signal }) {
  mkdirSync(join(cwd, "vendor"), { recursive: true })
  cpSync(join(packed, tarball), join(cwd, "vendor", tarball))
  const dependencies = {
    ...manifest.dependencies,
    "medusa-payment-crypto-storefront": `file:vendor/${tarball}`,
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
