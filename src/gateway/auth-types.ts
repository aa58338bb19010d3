/**
 * The options of each type of authentication, in the order of the form. The options' schema, the stored settings, the
 * admin API, the form and the list of secrets are derived from this table. `auth.ts` signs the requests.
 *
 * - `secret`: a text that is encrypted and never shown; `optional_secret` may be missing
 * - `secret_headers`: any number of secrets, each under the name of its header
 * - `text`: no secret
 * - `header_names`: names of a signature's headers, where they differ from the defaults
 */
export const AUTH_TYPES = {
  none: {},
  bearer: { token: "secret" },
  basic: { username: "text", password: "secret" },
  headers: { headers: "secret_headers" },
  signature: { apiKey: "secret", secretKey: "optional_secret", headerNames: "header_names" },
} as const satisfies Record<string, Record<string, AuthFieldKind>>

/** What a field of an authentication is. @see AUTH_TYPES */
export type AuthFieldKind = "secret" | "optional_secret" | "secret_headers" | "text" | "header_names"
/** The types of authentication that can be written down. In code, `auth` can also be a function. */
export type AuthType = keyof typeof AUTH_TYPES

/** Names of a signature's headers, where they differ from the defaults. */
export interface SignatureHeaderNames {
  apiKey?: string | undefined
  timestamp?: string | undefined
  signature?: string | undefined
}

/** The options of a type, each with its kind. */
export function authFields(type: AuthType): [option: string, kind: AuthFieldKind][] {
  return Object.entries(AUTH_TYPES[type])
}

/** Whether an option is encrypted when stored, and never shown. */
export function isSecret(kind: AuthFieldKind): boolean {
  return kind !== "text" && kind !== "header_names"
}
