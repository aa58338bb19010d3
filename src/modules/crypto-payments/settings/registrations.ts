import {
  MedusaError,
  dynamicImport,
  isPresent,
  normalizeImportPathWithSource,
  resolveFromProject,
} from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"
import { createAuthenticator, type GatewayAuth } from "../../../gateway"
import { crossedCurrencies, NOTHING_STORED, resolveEffective } from "./effective-settings"
import {
  CRYPTO_PAYMENTS_MODULE,
  PROVIDER_PREFIX,
  readAuth,
  renamed,
  toFieldName,
  type AuthInput,
} from "./names"
import { writtenOptionsSchema, type OtherOptions, type Registration } from "./options-schema"

const PROVIDER_IDENTIFIER = "crypto"

/** The parts of Medusa's resolved configuration that are read. */
export interface ConfigModuleLike {
  modules?: Record<string, unknown>
  projectConfig?: { workerMode?: string | undefined }
}

/**
 * Reads the crypto providers that medusa-config registers on the payment module and checks their options.
 *
 * @returns the options by provider id (`pp_crypto_<id>`)
 * @throws MedusaError naming the option or line of medusa-config to correct, never an option's value
 */
export async function readRegistrations(config: ConfigModuleLike): Promise<Map<string, Registration>> {
  const { options, dependencies } = asRecord(config.modules?.["payment"])
  const providers = asArray(asRecord(options)["providers"]).map(asRecord)
  const areOwn = await Promise.all(providers.map(isOwnProvider))
  const found = providers.filter((_, index) => areOwn[index])
  if (found.length > 0 && !asArray(dependencies).includes(CRYPTO_PAYMENTS_MODULE)) {
    throw configError(
      `the payment module cannot reach the plugin's ledger. Add dependencies: ` +
        `["${CRYPTO_PAYMENTS_MODULE}"] to the "@medusajs/medusa/payment" entry under modules, next to resolve and options`
    )
  }
  const registrations = new Map<string, Registration>()
  const own = found.map(readRegistration)
  for (const registration of own) {
    const { providerId } = registration
    if (registrations.has(providerId)) {
      throw configError(`two crypto providers have the id of "${providerId}". Give each an id of its own`)
    }
    registrations.set(providerId, registration)
  }
  // All are of one store. Never from a request, whose Host anybody can choose.
  const [address] = own.flatMap(({ values }) => values.public_url ?? [])
  if (address !== undefined) {
    own.forEach(({ values }) => (values.public_url ??= address))
  }
  return registrations
}

async function isOwnProvider({ resolve }: Record<string, unknown>): Promise<boolean> {
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

function readRegistration({ id, options }: Record<string, unknown>): Registration {
  if (typeof id !== "string" || !/^[A-Za-z0-9_-]+$/.test(id)) {
    throw configError(
      `a crypto provider registration needs an id of letters, digits, "-" or "_", such as id: "default"`
    )
  }
  try {
    const registration = { providerId: `${PROVIDER_PREFIX}${id}`, ...readOptions(asRecord(options)) }
    const effective = resolveEffective(registration, NOTHING_STORED)
    const [crossed] = crossedCurrencies(effective)
    if (crossed !== undefined) {
      throw malformed(["minAmount", crossed], "must not be more than maxAmount")
    }
    // Credentials that the admin completes are checked when they are saved.
    if (!effective.missing.some((name) => name.startsWith("auth"))) {
      refuseUnsendable(effective.auth)
    }
    return registration
  } catch (error) {
    throw error instanceof z.ZodError
      ? configError(`provider "${id}": ${error.issues.map(describeIssue).join("; ")}`)
      : error
  }
}

/** @throws ZodError */
export function readOptions(options: Record<string, unknown>): Omit<Registration, "providerId"> {
  const { auth: signsIn } = options
  const authenticate = typeof signsIn === "function" ? (signsIn as Registration["authenticate"]) : undefined
  const written = Object.entries(options)
    .map(([name, value]): [string, unknown] => [name, withoutUnset(value)])
    .filter(([, value]) => isGiven(value) && value !== authenticate)
  const { secret_key, auth, allowed_origins, core_completion, notifications, remind_channel, ...values } =
    renamed(writtenOptionsSchema.parse(Object.fromEntries(written)), toFieldName) as unknown as OtherOptions
  const signIn = readAuth(auth as AuthInput | undefined)
  const secrets = Object.entries({ secret_key, ...signIn.secrets })
  return {
    values: {
      // Limits whose environment variables are not set are no limits.
      ...Object.fromEntries(Object.entries(values).filter(([, value]) => isPresent(value))),
      ...signIn.values,
      ...(authenticate && { auth_type: "function" }),
    },
    secrets: Object.fromEntries(secrets.map(([name, value]) => [name, [value ?? []].flat()])),
    authenticate,
    ...{ allowed_origins, core_completion, notifications, remind_channel },
  }
}

/** An unset or empty environment variable gives nothing, and must not stop the boot. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null && value !== ""
}

/** A list without values that are not given. In an object, null counts as undefined. */
function withoutUnset(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter(isGiven)
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutUnset(one) ?? undefined]))
    : value
}

function refuseUnsendable(auth: GatewayAuth): void {
  try {
    // A signature's key may be the secret key, which the admin may give.
    createAuthenticator(auth, "any")
  } catch (error) {
    throw malformed(["auth"], (error as TypeError).message)
  }
}

function malformed(path: string[], message: string): z.ZodError {
  return new z.ZodError([{ code: "custom", path, message, input: undefined }])
}

function describeIssue(issue: z.core.$ZodIssue): string {
  return issue.code === "unrecognized_keys"
    ? `unknown option ${issue.keys.map((key) => `"${[...issue.path, key].join(".")}"`).join(", ")}`
    : `option "${issue.path.join(".")}" is malformed: ${issue.message}`
}

function configError(sentence: string): MedusaError {
  return new MedusaError(
    MedusaError.Types.INVALID_ARGUMENT,
    `medusa-payment-crypto, in medusa-config: ${sentence}.`
  )
}

export function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {}
}

export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}
