import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"

import { ROOT, STORE } from "../../examples/demo/paths.mjs"
import { npm } from "./npm.mjs"
import { PackedStore, readJson } from "./packed-store.mjs"

const TYPES_IN_USE = `
import { verifyApprovalHash, type PaymentStatus } from "medusa-payment-crypto/gateway"
import cryptoPayments, { CRYPTO_PAYMENTS_MODULE } from "medusa-payment-crypto/modules/crypto-payments"
import provider from "medusa-payment-crypto/providers/crypto"
import { startSandbox, type Sandbox } from "medusa-payment-crypto/sandbox"
import { isSafePaymentLink, type CryptoPaymentStatus } from "medusa-payment-crypto/storefront"
import { cryptoPaymentTexts, type CryptoPaymentView } from "medusa-payment-crypto/storefront/react"
import { auditPayments } from "medusa-payment-crypto/workflows"

export const status: PaymentStatus = "PAID"
export const verified: boolean = verifyApprovalHash({}, "", ["new", "old"])
export const sandbox: Promise<Sandbox> = startSandbox({ secretKey: "k" })
export const word: CryptoPaymentStatus["status"] = "paid"
export const view: CryptoPaymentView = "delayed"
export const texts: string[] = [cryptoPaymentTexts.en.pay, String(isSafePaymentLink("https://pay.example"))]
export const others = [cryptoPayments.service, provider.services, CRYPTO_PAYMENTS_MODULE, auditPayments]

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
export class FreshStore extends PackedStore {
  /**
   * @param {import("./pack.mjs").Place & {versions?: Record<string, string> | undefined}} at `versions` are others than the example's
   */
  constructor(tarball, { directory, logs, signal, versions }) {
    super(join(directory, "store"), { logs, signal })
    this.tarball = tarball
    this.versions = versions
  }

  async install() {
    const vendor = join(this.root, "vendor")
    mkdirSync(vendor, { recursive: true })
    cpSync(this.tarball, join(vendor, basename(this.tarball)))
    for (const name of ["src", "medusa-config.ts"]) {
      cpSync(join(STORE, name), join(this.root, name), { recursive: true })
    }
    const { dependencies } = readJson(join(STORE, "package.json"))
    const { devDependencies: tools } = readJson(join(ROOT, "package.json"))
    const project = {
      name: "tarball-store",
      private: true,
      dependencies: {
        ...dependencies,
        ...this.versions,
        "medusa-payment-crypto": `file:vendor/${basename(this.tarball)}`,
      },
      // Medusa's packages name each other's exact versions, and a mirror may not have all of them.
      overrides: this.versions,
      // As in Medusa's starter.
      devDependencies: {
        "@swc/core": tools["@swc/core"],
        "ts-node": tools["ts-node"],
        typescript: tools.typescript,
      },
    }
    this.write("package.json", project)
    if (this.versions === undefined) {
      this.write("package-lock.json", lockOf(project))
    }
    const { extends: _base, compilerOptions, ...rest } = readJson(join(STORE, "tsconfig.json"))
    const base = readJson(join(ROOT, "tsconfig.json"))
    this.write("tsconfig.json", {
      ...rest,
      compilerOptions: { ...base.compilerOptions, ...compilerOptions },
    })
    await npm(["install", "--ignore-scripts", "--no-audit", "--no-fund"], {
      cwd: this.root,
      log: join(this.logs, "install.log"),
      signal: this.signal,
    })
    this.requireOwnPlugin()
  }

  async build(env) {
    await this.buildImage(this.root, "# a store of its own", env)
  }

  /** Every exported path resolves to types under each module resolution in use. */
  async checkTypes() {
    const file = join(this.root, "types-in-use.ts")
    writeFileSync(file, TYPES_IN_USE)
    const tsc = join(this.root, "node_modules/typescript/bin/tsc")
    for (const resolution of RESOLUTIONS) {
      this.write("tsconfig.types.json", {
        extends: "./tsconfig.json",
        compilerOptions: { noEmit: true, ...resolution },
        include: [file],
      })
      await this.run("types", [tsc, "-p", "tsconfig.types.json"], this.root, process.env)
    }
  }
}

/**
 * This repository's versions for another project: what was published since then must change neither verdict nor time. npm
 * drops what the project does not need.
 */
function lockOf(project) {
  const { lockfileVersion, packages } = readJson(join(ROOT, "package-lock.json"))
  const installed = Object.entries(packages).filter(
    ([path, { link }]) => path.startsWith("node_modules/") && !link
  )
  return { lockfileVersion, packages: { "": project, ...Object.fromEntries(installed) } }
}
