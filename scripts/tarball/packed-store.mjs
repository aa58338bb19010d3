import { existsSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

import { runCommand, STORE_READY, untilReady } from "../../examples/demo/commands.mjs"
import { keep } from "../../integration-tests/support/keep.mjs"
import { buildContainerFile } from "./container-file.mjs"

/**
 * A store outside this repository that has the packed plugin: built, migrated, filled and started as a merchant does it.
 * How it is installed is its own affair.
 */
export class PackedStore {
  /**
   * @param {string} root the folder with medusa-config.ts
   * @param {{logs: string, signal: AbortSignal, node?: string | undefined}} at `node` is another Node than this one
   */
  constructor(root, { logs, signal, node = process.execPath }) {
    this.root = root
    this.built = join(root, ".medusa/server")
    this.logs = logs
    this.signal = signal
    this.node = node
  }

  /** @returns {Record<string, string>} what its medusa-config reads and the example store's does not */
  environment(_storeUrl) {
    return {}
  }

  async build(env) {
    await this.#medusa(["build", "--no-lint"], this.root, env)
  }

  /**
   * Builds it as a container image, which gets no secret and no address.
   *
   * @param {string} context the folder in which the docs say that the image is built
   * @param {string} beginning of the container file in the docs
   */
  async buildImage(context, beginning, { ADMIN_DISABLED }) {
    const env = { ...process.env, ADMIN_DISABLED, MEDUSA_DISABLE_TELEMETRY: "1" }
    const at = { directory: dirname(context), logs: this.logs, signal: this.signal, env }
    this.built = await buildContainerFile(context, beginning, at)
  }

  async migrate(env) {
    await this.#medusa(["db:migrate", "--execute-safe-links"], this.built, env)
  }

  async seed(env) {
    const file = join(this.logs, "seeded.json")
    await this.#medusa(["exec", "./src/scripts/seed.js", file], this.built, env)
    return readJson(file)
  }

  async start(port, env) {
    const log = join(this.logs, "store.log")
    const command = [this.node, this.#cli, "start", "--host", "127.0.0.1", "--port", String(port)]
    const kept = keep({ commands: [command], cwd: this.built, env, log })
    await untilReady(kept, { name: "The store", log, ready: STORE_READY, signal: this.signal })
    return kept
  }

  get #cli() {
    return join(this.packageFolder("@medusajs/cli"), "cli.js")
  }

  async #medusa(args, cwd, env) {
    await this.run(args[0]?.replace(":", "-") ?? "", [this.#cli, ...args], cwd, env)
  }

  async run(name, args, cwd, env) {
    const log = join(this.logs, `${name}.log`)
    await runCommand({ name, command: [this.node, ...args], cwd, env, log, signal: this.signal })
  }

  /**
   * Refuses a plugin that is not the packed one, such as this repository through a link.
   *
   * @param {string} folder everything the store uses is in here
   */
  requireOwnPlugin(folder = this.root) {
    const plugin = realpathSync(this.packageFolder("medusa-payment-crypto"))
    if (!plugin.startsWith(realpathSync(folder))) {
      throw new Error(`The store would use ${plugin}`)
    }
  }

  /**
   * @param {string} name of an installed package
   * @returns {string} its folder, as the store finds it
   */
  packageFolder(name) {
    const paths = createRequire(join(this.built, "x.js")).resolve.paths(name) ?? []
    const folder = paths
      .map((path) => join(path, name))
      .find((path) => existsSync(join(path, "package.json")))
    if (folder === undefined) {
      throw new Error(`${name} is not installed in ${this.built}`)
    }
    return folder
  }

  /** @param {string} name of an installed package */
  versionOf(name) {
    return readJson(join(this.packageFolder(name), "package.json")).version
  }

  write(name, content) {
    writeFileSync(join(this.root, name), JSON.stringify(content, null, 2))
  }
}

export function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}
