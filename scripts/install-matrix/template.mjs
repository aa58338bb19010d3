import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

import { ROOT, STORE } from "../../examples/demo/paths.mjs"

const TEMPLATE = fileURLToPath(new URL("template", import.meta.url))

/**
 * Writes the store that `create-medusa-app` makes, of its template as it was in July 2026 without its storefront: the
 * folders and manifests that decide how packages are installed and found.
 *
 * @param {string} medusa the version, which `create-medusa-app --version` sets
 * @returns {string} the folder of the backend, as the README means "the store's folder"
 * @see https://github.com/medusajs/dtc-starter
 */
export function writeTemplate(folder, { manager, medusa }) {
  cpSync(TEMPLATE, folder, { recursive: true })
  change(join(folder, "package.json"), (text) =>
    JSON.stringify({ ...JSON.parse(text), ...manager.manifest }, null, 2)
  )
  const backend = join(folder, "apps/backend")
  change(join(backend, "package.json"), (text) => text.replaceAll("$MEDUSA", medusa))
  return backend
}

/**
 * What the README adds, with the example store's sources: its seed, and the page to which payers come back.
 *
 * @returns {string} the tarball as the README names it
 */
export function writeOwnFiles(backend, tarball) {
  cpSync(join(STORE, "src"), join(backend, "src"), { recursive: true })
  writeFileSync(join(backend, "src/types-in-use.ts"), TYPES_IN_USE)
  writeFileSync(join(backend, "medusa-config.ts"), medusaConfig())
  mkdirSync(join(backend, "vendor"))
  cpSync(tarball, join(backend, "vendor", basename(tarball)))
  return `./vendor/${basename(tarball)}`
}

function change(file, edit) {
  writeFileSync(file, edit(readFileSync(file, "utf8")))
}

/** The template's settings with what the README adds to them. */
function medusaConfig() {
  const readme = readFileSync(join(ROOT, "README.md"), "utf8")
  const [, added] =
    /\/\/ medusa-config\.ts\nmodule\.exports = defineConfig\(\{\n {2}\/\/ …\n([^]*?)\}\)\n```/.exec(
      readme
    ) ?? ["", undefined]
  if (added === undefined) {
    throw new Error("The README shows no medusa-config.ts any more")
  }
  return `import { loadEnv, defineConfig } from "@medusajs/framework/utils"

loadEnv(process.env.NODE_ENV || "development", process.cwd())

module.exports = defineConfig({
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    // Here the admin is opened over http, where a secure cookie never comes back.
    cookieOptions: { secure: false, sameSite: "lax" },
    http: {
      storeCors: process.env.STORE_CORS!,
      adminCors: process.env.ADMIN_CORS!,
      authCors: process.env.AUTH_CORS!,
      jwtSecret: process.env.JWT_SECRET,
      cookieSecret: process.env.COOKIE_SECRET,
    },
  },
${added}})
`
}

/** The store's build checks it. That each entry has types in shops with another module resolution, attw checks. */
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
export const texts: string[] = [cryptoPaymentTexts.en.pay, String(isSafePaymentLink("https://pay.example"))]
export const others = [cryptoPayments.service, provider.services, CRYPTO_PAYMENTS_MODULE, auditPayments]

// @ts-expect-error The types are really there: were they "any", this would be accepted.
export const refused: number = verifyApprovalHash({}, "", "key")
// @ts-expect-error Likewise.
export const refusedWord: CryptoPaymentStatus["status"] = "done"
// @ts-expect-error Likewise.
export const refusedView: CryptoPaymentView = "done"
`
