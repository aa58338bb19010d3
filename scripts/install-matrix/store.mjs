import { cpSync, mkdirSync } from "node:fs"
import { basename, dirname, join } from "node:path"

import { npmCommand, runCommand } from "../../examples/demo/commands.mjs"
import { STORE } from "../../examples/demo/paths.mjs"
import { PackedStore, readJson } from "../tarball/packed-store.mjs"
import { pathWith } from "../tarball/other-node.mjs"
import { writeStarter } from "./starter.mjs"

/** A store as `create-medusa-app` makes it, in which the README is followed. */
export class StarterStore extends PackedStore {
  constructor(folder, manager, { tarball, medusa, ...at }) {
    super(writeStarter(folder, { manager: manager.name, medusa }), at)
    this.folder = folder
    this.manager = manager
    this.tarball = tarball
  }

  /** The store first, as its merchant has it. */
  async installWithoutPlugin() {
    // As create-medusa-app does it with npm: the template's own packages name conflicting peers.
    const options = this.manager.name === "npm" ? ["--legacy-peer-deps", "--no-audit", "--no-fund"] : []
    await this.#manage(["install", ...options], this.folder)
  }

  /** Then what the README says. */
  async addPlugin() {
    const { dependencies } = readJson(join(this.packageFolder("@medusajs/dashboard"), "package.json"))
    await this.#add(`react-router-dom@${dependencies["react-router-dom"]}`)
    const vendored = `./vendor/${basename(this.tarball)}`
    mkdirSync(join(this.root, "vendor"))
    cpSync(this.tarball, join(this.root, vendored))
    await this.#add(vendored)
    this.requireOwnPlugin(this.folder)
    cpSync(join(STORE, "src"), join(this.root, "src"), { recursive: true })
  }

  /** As a container image with npm, for which the docs show the file; else in its place. */
  async build(env) {
    await (this.manager.name === "npm"
      ? this.buildImage(this.folder, "# apps/backend of a workspace", env)
      : super.build(env))
  }

  environment(storeUrl) {
    return {
      STORE_CORS: storeUrl,
      ADMIN_CORS: storeUrl,
      AUTH_CORS: storeUrl,
      ...(this.node === process.execPath ? {} : { PATH: pathWith(dirname(this.node)) }),
    }
  }

  async #add(what) {
    const word = this.manager.name === "npm" ? "install" : "add"
    await this.#manage([word, what], this.root)
  }

  async #manage(args, cwd) {
    const [first = "", ...rest] = npmCommand([...this.manager.words, ...args])
    await runCommand({
      name: `${this.manager.name} ${args.join(" ")}`,
      command: [first === process.execPath ? this.node : first, ...rest],
      cwd,
      env: { ...process.env, ...this.environment(""), MEDUSA_DISABLE_TELEMETRY: "1" },
      log: join(this.logs, "install.log"),
      signal: this.signal,
    })
  }
}
