import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"

import { runCommand } from "../../examples/demo/commands.mjs"
import { ROOT, STORE } from "../../examples/demo/paths.mjs"
import { keep } from "../../integration-tests/support/keep.mjs"
import { npm } from "./npm.mjs"

const TYPES_IN_USE = `
import { verifyApprovalHash, type PaymentStatus } from "medusa-payment-crypto/gateway"
import cryptoPayments, { CRYPTO_PAYMENTS_MODULE } from "medusa-payment-crypto/modules/crypto-payments"
import provider from "medusa-payment-crypto/providers/crypto"
import { startSandbox, type Sandbox } from "medusa-payment-crypto/sandbox"
import { isSafePaymentLink, type CryptoPaymentStatus } from "medusa-payment-crypto/storefront"
import { cryptoPaymentTexts, type CryptoPaymentView } from "medusa-payment-crypto/storefront/react"
import { settlePaymentRequestWorkflow } from "medusa-payment-crypto/workflows"

export const status: PaymentStatus = "PAID"
export const verified: boolean = verifyApprovalHash({}, "", ["new", "old"])
export const sandbox: Promise<Sandbox> = startSandbox({ secretKey: "k" })
export const word: CryptoPaymentStatus["status"] = "paid"
export const view: CryptoPaymentView = "delayed"
export const texts: string[] = [cryptoPaymentTexts.en.pay, String(isSafePaymentLink("https://pay.example"))]
export const others = [cryptoPayments.service, provider.services, CRYPTO_PAYMENTS_MODULE, settlePaymentRequestWorkflow.getName()]

// @ts-expect-error The types are really there: were they "any", this would be accepted.
export const refused: number = verifyApprovalHash({}, "", "key")
// @ts-expect-error Likewise.
export const refusedWord: CryptoPaymentStatus["status"] = "done"
// @ts-expect-error Likewise.
export const refusedView: CryptoPaymentView = "done"
`

/** Medusa's starter's, the Next.js starter's, and Vite's. */
const RESOLUTIONS = [
  { module: "Node16", moduleResolution: "Node16" },
  { module: "esnext", moduleResolution: "node" },
  { module: "esnext", moduleResolution: "bundler" },
]

/** The example store's sources in a folder of their own, with the plugin from a tarball. */
export class FreshStore {
  /**
   * @param {string} tarball
   * @param {import("./pack.mjs").Place} at
   */
  constructor(tarball, { directory, logs, signal }) {
    this.root = join(directory, "store")
    this.built = join(this.root, ".medusa/server")
    this.tarball = tarball
    this.logs = logs
    this.signal = signal
  }

  async install() {
    mkdirSync(this.root)
    for (const name of ["src", "medusa-config.ts"]) {
      cpSync(join(STORE, name), join(this.root, name), { recursive: true })
    }
    const { dependencies } = readJson(join(STORE, "package.json"))
    const { devDependencies: tools } = readJson(join(ROOT, "package.json"))
    const project = {
      name: "tarball-store",
      private: true,
      dependencies: { ...dependencies, "medusa-payment-crypto": `file:${this.tarball}` },
      // As in Medusa's starter.
      devDependencies: {
        "@swc/core": tools["@swc/core"],
        "ts-node": tools["ts-node"],
        typescript: tools.typescript,
      },
    }
    this.#write("package.json", project)
    this.#write("package-lock.json", lockOf(project))
    const { extends: _base, compilerOptions, ...rest } = readJson(join(STORE, "tsconfig.json"))
    const base = readJson(join(ROOT, "tsconfig.json"))
    this.#write("tsconfig.json", {
      ...rest,
      compilerOptions: { ...base.compilerOptions, ...compilerOptions },
    })
    await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: this.root,
      log: join(this.logs, "install.log"),
      signal: this.signal,
    })
    const manifest = createRequire(join(this.root, "x.js")).resolve("medusa-payment-crypto/package.json")
    if (!realpathSync(manifest).startsWith(realpathSync(this.root))) {
      throw new Error(`The store would use ${manifest}`)
    }
  }

  /** Every exported path resolves to types under each module resolution in use. */
  async checkTypes() {
    const file = join(this.root, "types-in-use.ts")
    writeFileSync(file, TYPES_IN_USE)
    const tsc = join(this.root, "node_modules/typescript/bin/tsc")
    for (const resolution of RESOLUTIONS) {
      this.#write("tsconfig.types.json", {
        extends: "./tsconfig.json",
        compilerOptions: { noEmit: true, ...resolution },
        include: [file],
      })
      await this.#run("types", [tsc, "-p", "tsconfig.types.json"], this.root, process.env)
    }
  }

  /** @param {NodeJS.ProcessEnv} env */
  async build(env) {
    await this.#medusa(["build", "--no-lint"], this.root, env)
  }

  /** @param {NodeJS.ProcessEnv} env */
  async migrate(env) {
    await this.#medusa(["db:migrate", "--execute-safe-links"], this.built, env)
  }

  /**
   * @param {NodeJS.ProcessEnv} env
   * @returns {Promise<import("../../examples/demo/store.mjs").Seeded>}
   */
  async seed(env) {
    const file = join(this.logs, "seeded.json")
    await this.#medusa(["exec", "./src/scripts/seed.js", file], this.built, env)
    return readJson(file)
  }

  /**
   * @param {number} port
   * @param {NodeJS.ProcessEnv} env
   * @returns {Promise<import("../../integration-tests/support/keep.mjs").Kept>}
   */
  async start(port, env) {
    const log = join(this.logs, "store.log")
    const command = [process.execPath, this.#cli, "start", "--host", "127.0.0.1", "--port", String(port)]
    const kept = keep({ commands: [command], cwd: this.built, env, log })
    try {
      while (!(existsSync(log) && readFileSync(log, "utf8").includes("Server is ready on port"))) {
        if (!kept.alive()) {
          throw new Error(`The store did not start:\n${(await kept.ended).tail}`)
        }
        await sleep(100, undefined, { signal: this.signal })
      }
      return kept
    } catch (error) {
      await kept.stop()
      throw error
    }
  }

  get #cli() {
    return join(this.root, "node_modules/@medusajs/cli/cli.js")
  }

  /**
   * @param {string[]} args
   * @param {string} cwd
   * @param {NodeJS.ProcessEnv} env
   */
  async #medusa(args, cwd, env) {
    await this.#run(args[0]?.replace(":", "-") ?? "", [this.#cli, ...args], cwd, env)
  }

  /**
   * @param {string} name
   * @param {string[]} args
   * @param {string} cwd
   * @param {NodeJS.ProcessEnv} env
   */
  async #run(name, args, cwd, env) {
    const log = join(this.logs, `${name}.log`)
    await runCommand({ name, command: [process.execPath, ...args], cwd, env, log, signal: this.signal })
  }

  /**
   * @param {string} name
   * @param {unknown} content
   */
  #write(name, content) {
    writeFileSync(join(this.root, name), JSON.stringify(content, null, 2))
  }
}

/**
 * This repository's versions for another project: what was published since then must change neither verdict nor time. npm
 * drops what the project does not need.
 *
 * @param {Record<string, unknown>} project
 */
function lockOf(project) {
  const { lockfileVersion, packages } = readJson(join(ROOT, "package-lock.json"))
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith("node_modules/") && !link
  )
  return { lockfileVersion, packages: { "": project, ...Object.fromEntries(installed) } }
}

/**
 * @param {string} file
 * @returns {any}
 */
function readJson(file) {
  return JSON.parse(readFileSync(file, "utf8"))
}
