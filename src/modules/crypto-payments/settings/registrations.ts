import {
  MedusaError,
  dynamicImport,
  normalizeImportPathWithSource,
  resolveFromProject,
} from "@medusajs/framework/utils"
import { providerOptionsSchema } from "./options-schema"
import type { Registration } from "./stored-settings"

const PROVIDER_IDENTIFIER = "crypto"
const MODULE_KEY = "cryptoPayments"

/** The part of Medusa's resolved configuration that is read here. */
export interface ConfigModuleLike {
  modules?: Record<string, unknown>
}

interface ProviderRegistration {
  id?: string
  resolve?: unknown
  options?: unknown
}

/**
 * Reads the crypto providers that medusa-config registers on the payment module and checks their options.
 *
 * @returns the options of each by provider id (`pp_crypto_<id>`)
 * @throws MedusaError naming the option or line of medusa-config to correct; it never contains an option's value
 */
export async function readRegistrations(config: ConfigModuleLike): Promise<Map<string, Registration>> {
  const paymentModule = asRecord(config.modules?.["payment"])
  const registrations = await ownRegistrations(asRecord(paymentModule["options"])["providers"])
  if (registrations.length > 0 && !asArray(paymentModule["dependencies"]).includes(MODULE_KEY)) {
    throw configError(
      `the payment module cannot reach the plugin's ledger. Add dependencies: ["${MODULE_KEY}"] to the ` +
        `"@medusajs/medusa/payment" entry under modules, next to resolve and options`
    )
  }
  return new Map(registrations.map(readRegistration))
}

async function ownRegistrations(providers: unknown): Promise<ProviderRegistration[]> {
  const own: ProviderRegistration[] = []
  for (const provider of asArray(providers).map(asRecord)) {
    if (await isOwnProvider(provider["resolve"])) {
      own.push(provider)
    }
  }
  return own
}

async function isOwnProvider(resolve: unknown): Promise<boolean> {
  const loaded: unknown =
    typeof resolve === "string"
      ? await dynamicImport(resolveFromProject(normalizeImportPathWithSource(resolve)))
      : resolve
  const provider = asRecord(asRecord(loaded)["default"] ?? loaded)
  return asArray(provider["services"]).some(
    (service) =>
      typeof service === "function" && "identifier" in service && service.identifier === PROVIDER_IDENTIFIER
  )
}

function readRegistration({ id, options }: ProviderRegistration): [string, Registration] {
  if (typeof id !== "string" || !/^[A-Za-z0-9_-]+$/.test(id)) {
    throw configError(
      `a crypto provider registration needs an id of letters, digits, "-" or "_", such as id: "default"`
    )
  }
  // An environment variable that is not set or empty gives nothing, also in a list; it must not stop the boot.
  const isGiven = (value: unknown): boolean => value !== undefined && value !== ""
  const given = Object.entries(asRecord(options))
    .filter(([, value]) => isGiven(value))
    .map(([name, value]): [string, unknown] => [name, Array.isArray(value) ? value.filter(isGiven) : value])
  const parsed = providerOptionsSchema.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    throw configError(`provider "${id}": ${parsed.error.issues.map(describeIssue).join("; ")}`)
  }
  const providerId = `pp_${PROVIDER_IDENTIFIER}_${id}`
  return [providerId, { providerId, options: parsed.data, given: new Set(given.map(([name]) => name)) }]
}

function describeIssue(issue: {
  path: PropertyKey[]
  message: string
  code: string
  keys?: string[]
}): string {
  if (issue.code === "unrecognized_keys") {
    return `unknown option ${(issue.keys ?? []).map((key) => `"${[...issue.path, key].join(".")}"`).join(", ")}`
  }
  return `option "${issue.path.join(".")}" is malformed: ${issue.message}`
}

function configError(sentence: string): MedusaError {
  return new MedusaError(
    MedusaError.Types.INVALID_ARGUMENT,
    `medusa-payment-crypto, in medusa-config: ${sentence}.`
  )
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
