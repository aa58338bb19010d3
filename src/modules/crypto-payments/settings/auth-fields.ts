import type { GatewayAuth } from "../../../gateway"
import type { ProviderOptions } from "./options-schema"
import type { AuthType, SignatureHeaderNames, StoredPlain } from "./stored-settings"

/** A provider's authentication, put together from medusa-config and what is saved. */
export interface AuthFields {
  type: AuthType | "function"
  username: string | null
  headerNames: SignatureHeaderNames | null
  /** Names of the secrets the type has, such as `auth.token`, and whether one may be missing. */
  secrets: { name: string; isOptional: boolean }[]
}

const HEADER_PREFIX = "auth.headers."

/** @param stored used for what medusa-config leaves out, and only with the type it gives */
export function readAuthFields(
  auth: ProviderOptions["auth"],
  isGiven: boolean,
  { plain, secrets }: { plain: StoredPlain; secrets: Record<string, string[]> }
): AuthFields {
  if (typeof auth === "function") {
    return { type: "function", username: null, headerNames: null, secrets: [] }
  }
  const type = isGiven ? auth.type : (plain.auth_type ?? "none")
  const configured = isGiven && auth.type === "basic" ? auth.username : undefined
  const headerNames = isGiven && auth.type === "signature" ? auth.headerNames : undefined
  return {
    type,
    username: type === "basic" ? (configured ?? plain.auth_username ?? null) : null,
    headerNames:
      type === "signature"
        ? headerNames === undefined
          ? (plain.auth_header_names ?? null)
          : toStoredNames(headerNames)
        : null,
    secrets: secretsOf(
      type,
      isGiven && auth.type === "headers" ? Object.keys(auth.headers) : storedHeaderNames(secrets)
    ),
  }
}

/** The value medusa-config gives for a secret of its authentication. */
export function configuredSecret(auth: ProviderOptions["auth"], name: string): string | undefined {
  if (typeof auth === "function") {
    return undefined
  }
  switch (auth.type) {
    case "bearer":
      return name === "auth.token" ? auth.token : undefined
    case "basic":
      return name === "auth.password" ? auth.password : undefined
    case "signature":
      return name === "auth.api_key" ? auth.apiKey : name === "auth.secret_key" ? auth.secretKey : undefined
    case "headers":
      return name.startsWith(HEADER_PREFIX) ? auth.headers[name.slice(HEADER_PREFIX.length)] : undefined
    default:
      return undefined
  }
}

/** Makes what the gateway client takes. Call it when nothing is missing. */
export function toGatewayAuth(
  { type, username, headerNames, secrets }: AuthFields,
  secret: (name: string) => string | undefined
): GatewayAuth {
  switch (type) {
    case "bearer":
      return { type, token: secret("auth.token") ?? "" }
    case "basic":
      return { type, username: username ?? "", password: secret("auth.password") ?? "" }
    case "headers":
      return {
        type,
        headers: Object.fromEntries(
          secrets.map(({ name }) => [name.slice(HEADER_PREFIX.length), secret(name) ?? ""])
        ),
      }
    case "signature": {
      const secretKey = secret("auth.secret_key")
      return {
        type,
        apiKey: secret("auth.api_key") ?? "",
        ...(secretKey === undefined ? {} : { secretKey }),
        ...(headerNames === null ? {} : { headerNames: toOptionNames(headerNames) }),
      }
    }
    default:
      return { type: "none" }
  }
}

function secretsOf(type: AuthFields["type"], headers: string[]): AuthFields["secrets"] {
  const required = (name: string): AuthFields["secrets"][number] => ({ name, isOptional: false })
  switch (type) {
    case "bearer":
      return [required("auth.token")]
    case "basic":
      return [required("auth.password")]
    case "signature":
      return [required("auth.api_key"), { name: "auth.secret_key", isOptional: true }]
    case "headers":
      return headers.map((header) => required(`${HEADER_PREFIX}${header}`))
    default:
      return []
  }
}

function storedHeaderNames(secrets: Record<string, string[]>): string[] {
  return Object.keys(secrets)
    .filter((name) => name.startsWith(HEADER_PREFIX))
    .map((name) => name.slice(HEADER_PREFIX.length))
}

function toStoredNames(names: {
  apiKey?: string | undefined
  timestamp?: string | undefined
  signature?: string | undefined
}): SignatureHeaderNames {
  const { apiKey, timestamp, signature } = names
  return {
    ...(apiKey === undefined ? {} : { api_key: apiKey }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(signature === undefined ? {} : { signature }),
  }
}

function toOptionNames({ api_key, timestamp, signature }: SignatureHeaderNames): {
  apiKey?: string
  timestamp?: string
  signature?: string
} {
  return {
    ...(api_key === undefined ? {} : { apiKey: api_key }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(signature === undefined ? {} : { signature }),
  }
}
