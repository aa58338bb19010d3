import { join } from "node:path"

import { npmCommand, runCommand } from "./commands.mjs"
import { buildStamp } from "./fingerprint.mjs"
import { BUILT_STORE, logFile, MEDUSA_CLI, ROOT, stampFile, STORE, STOREFRONT, VITE_CLI } from "./paths.mjs"

const PLUGIN_OUTPUTS = [join(ROOT, ".medusa/server"), join(ROOT, "dist")]

const PLUGIN_SOURCES = [
  "src",
  "sandbox",
  "storefront",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsup.config.ts",
]

/** Also written at the end of `npm run build`, so that the demo does not build again what was just built. */
export const pluginStamp = () =>
  buildStamp(stampFile("plugin"), {
    inputs: PLUGIN_SOURCES.map((name) => join(ROOT, name)),
    outputs: PLUGIN_OUTPUTS,
  })

/**
 * @param {AbortSignal} signal
 * @returns {Promise<string>} "" or "up to date"
 */
export async function buildPlugin(signal) {
  const stamp = pluginStamp()
  if (stamp.isCurrent()) {
    return "up to date"
  }
  await runCommand({
    name: "Building the plugin",
    command: npmCommand(["run", "build"]),
    cwd: ROOT,
    env: { ...process.env, MEDUSA_DISABLE_TELEMETRY: "1" },
    log: logFile("plugin-build"),
    signal,
  })
  stamp.write()
  return ""
}

/**
 * @param {NodeJS.ProcessEnv} env the store's
 * @param {boolean} withAdmin bundling the admin takes most of the time, and only a user in a browser needs it
 * @param {AbortSignal} signal
 * @returns {Promise<string>} "" or "up to date"
 */
export async function buildStore(env, withAdmin, signal) {
  // A store that is built of an older plugin would test that one.
  await buildPlugin(signal)
  /** @param {string} variant */
  const stampOf = (variant) =>
    buildStamp(stampFile("store"), {
      inputs: [
        ...["src", "medusa-config.ts", "tsconfig.json", "package.json"].map((name) => join(STORE, name)),
        join(ROOT, "package-lock.json"),
        join(ROOT, ".medusa/server/src"),
      ],
      outputs: [BUILT_STORE],
      variant,
    })
  const complete = stampOf("with admin")
  const backendOnly = stampOf("without admin")
  if (complete.isCurrent() || (!withAdmin && backendOnly.isCurrent())) {
    return "up to date"
  }
  await runCommand({
    name: "Building the store",
    command: [process.execPath, MEDUSA_CLI, "build", "--no-lint"],
    cwd: STORE,
    env: { ...env, ADMIN_DISABLED: String(!withAdmin) },
    log: logFile("store-build"),
    signal,
  })
  ;(withAdmin ? complete : backendOnly).write()
  return ""
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<string>} "" or "up to date"
 */
export async function buildShop(signal) {
  const sources = ["src", "public", "index.html", "package.json", "tsconfig.json", "vite.config.ts"]
  const stamp = buildStamp(stampFile("shop"), {
    inputs: [
      ...sources.map((name) => join(STOREFRONT, name)),
      join(ROOT, "storefront"),
      join(ROOT, "package-lock.json"),
    ],
    outputs: [join(STOREFRONT, "dist")],
  })
  if (stamp.isCurrent()) {
    return "up to date"
  }
  await runCommand({
    name: "Building the shop",
    command: [process.execPath, VITE_CLI, "build"],
    cwd: STOREFRONT,
    env: { ...process.env, NODE_ENV: "production" },
    log: logFile("shop-build"),
    signal,
  })
  stamp.write()
  return ""
}
