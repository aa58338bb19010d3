/**
 * What each type of authentication is given, by its option's name, in the order in which a form asks for it. The options'
 * schema, what is stored, the admin API, the admin's form and what must not be shown are derived from this table; how a
 * request is signed with it: `auth.ts`.
 *
 * - `secret`: a text that is sealed and never shown; `optional_secret` may be missing
 * - `secret_headers`: any number of secrets, each under the name of its header
 * - `text`: no secret
 * - `header_names`: names of the headers of a signature, where they are not the usual ones
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
/** The ways to sign in that can be written down; in code there is also a function. */
export type AuthType = keyof typeof AUTH_TYPES

/** Which headers of a signature have other names than the usual ones. */
export interface SignatureHeaderNames {
  apiKey?: string | undefined
  timestamp?: string | undefined
  signature?: string | undefined
}

/** What a type is given, each with its kind. */
export function authFields(type: AuthType): [option: string, kind: AuthFieldKind][] {
  return Object.entries(AUTH_TYPES[type])
}

/** Whether it is sealed when it is stored, and never shown. */
export function isSecret(kind: AuthFieldKind): boolean {
  return kind !== "text" && kind !== "header_names"
}
