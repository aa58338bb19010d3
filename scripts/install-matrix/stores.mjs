import { cpSync, readFileSync } from "node:fs"
import { basename, delimiter, dirname, join } from "node:path"

import { runCommand } from "../../examples/demo/commands.mjs"
import { ROOT } from "../../examples/demo/paths.mjs"
import { step } from "../../examples/demo/progress.mjs"
import { manage, managerVersion, NPM, PNPM, readJson, YARN } from "../managers.mjs"
import { medusa, packageFile, takePayment } from "./take-payment.mjs"
import { writeOwnFiles, writeTemplate } from "./template.mjs"

const { devDependencies } = readJson(join(ROOT, "package.json"))
/** Another Node than the one at hand is a package of the npm registry. */
const NODE = `node-${process.platform}-${process.arch}`
const SHOWN = ["@medusajs/medusa", "react", "react-router-dom"]

/** One per package manager. `node` is a version; this process's unless told. */
export const STORES = [
  { name: "first: a new Medusa store, npm", manager: NPM },
  { name: "a new Medusa store, pnpm, Node 24.21.0", manager: PNPM, node: "24.21.0" },
  { name: "a new Medusa store, yarn 4, Node 22.23.3", manager: YARN, node: "22.23.3" },
]

/**
 * Follows the README in a new store: installs the plugin, builds the store with its admin, takes a payment and opens
 * the admin's pages.
 *
 * @param {Store & { medusa?: string }} store Medusa's version is that of this repository unless told
 * @returns {Promise<{ installed: Record<string, string> }>} versions
 */
export async function tryStore(
  { manager, node, medusa: version = devDependencies["@medusajs/medusa"] },
  { tarball, cwd, signal }
) {
  const root = join(cwd, "store")
  const backend = writeTemplate(root, { manager, medusa: version })
  const bin = node === undefined ? dirname(process.execPath) : join(cwd, "node_modules", NODE, "bin")
  const PATH = `${bin}${delimiter}${process.env["PATH"]}`
  const env = { ...process.env, PATH, MEDUSA_DISABLE_TELEMETRY: "1" }
  const at = { cwd, log: join(cwd, "log"), signal, env }
  if (node !== undefined) {
    await step(`Install Node ${node}`, () =>
      manage(NPM, ["install", "--prefix", cwd, "--no-save", `${NODE}@${node}`], at)
    )
  }
  await step("Install the store", () =>
    // As create-medusa-app does it with npm: the template's own packages name conflicting peers.
    manage(manager, ["install", ...(manager === NPM ? ["--legacy-peer-deps"] : [])], { ...at, cwd: root })
  )
  await step("Install the plugin", async () => {
    const { dependencies } = readJson(packageFile(backend, "@medusajs/dashboard"))
    for (const what of [
      `react-router-dom@${dependencies["react-router-dom"]}`,
      writeOwnFiles(backend, tarball),
    ]) {
      await manage(manager, [manager.add, what], { ...at, cwd: backend })
    }
  })
  const built = await step("Build the store", () => build(root, backend, manager, at))
  await takePayment(built, at)
  const versions = SHOWN.map((name) => [name, readJson(packageFile(backend, name)).version])
  const used = { node: node ?? process.versions.node, [manager.name]: managerVersion(manager, backend) }
  return { installed: { ...used, ...Object.fromEntries(versions) } }
}

/**
 * With npm as a container image, in a folder instead: the docs show the file. With others in its place.
 *
 * @returns {Promise<string>} the folder that is deployed
 */
async function build(root, backend, manager, { cwd, ...at }) {
  if (manager !== NPM) {
    await medusa(backend, ["build"], at)
    return join(backend, ".medusa/server")
  }
  const image = join(cwd, "image")
  // As its .dockerignore has it.
  cpSync(root, image, { recursive: true, filter: (path) => basename(path) !== "node_modules" })
  const page = readFileSync(join(ROOT, "docs/deployment.md"), "utf8")
  const [, file] = /^# apps\/backend of a workspace$([^]*?)^```$/m.exec(page) ?? ["", ""]
  const lines = [...file.matchAll(/^RUN (.*)$/gm)].map(([, line]) => line)
  const [, folder] = /^WORKDIR \/workspace\/(.+)$/m.exec(file) ?? []
  if (lines.length === 0 || folder === undefined) {
    throw new Error("docs/deployment.md shows no container file of a workspace any more")
  }
  await runCommand({ name: "The image", command: ["sh", "-ec", lines.join("\n")], cwd: image, ...at })
  return join(image, folder)
}
