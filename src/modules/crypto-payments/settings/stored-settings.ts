import type { AuthType, SignatureHeaderNames } from "../../../gateway"
import type { ProviderOptions } from "./options-schema"

/** The options that are no secret and can be saved in the admin; what medusa-config gives of them wins. */
export const SAVED_OPTIONS = [
  "baseUrl",
  "successUrl",
  "failedUrl",
  "orderPlacement",
  "unpaidOrderTtlMinutes",
  "timeoutMs",
  "paymentLinkHosts",
  "reuseOpenLinks",
] as const satisfies (keyof ProviderOptions)[]

export type SavedOption = (typeof SAVED_OPTIONS)[number]

/** What is saved of the authentication and no secret. */
export interface SavedAuth {
  type: AuthType
  username?: string | undefined
  headerNames?: SignatureHeaderNames | undefined
}

/** What is saved and no secret, in the shape of medusa-config's options; what is not there is not saved. */
export type SavedOptions = { [Option in SavedOption]?: Exclude<ProviderOptions[Option], undefined> } & {
  auth?: SavedAuth
}

/** A secret as it is stored. */
export interface SealedSecret {
  sealed: string
}

/** A secret as it is stored, or as a form has just given it: the latter is never to be kept or shown. */
export type Secret = SealedSecret | { given: string }

/** What is saved for one provider. */
export interface StoredSettings<SecretForm extends Secret = SealedSecret> {
  version: number
  updated_at: Date | null
  options: SavedOptions
  /** By name, newest first: `secret_key`, `auth.token`, `auth.headers.<name>`… */
  secrets: Record<string, SecretForm[]>
  /** The gateway address the secrets were given for. They are sealed for its origin, so it cannot be changed alone. */
  bound_base_url: string | null
  /** What an admin user has said of each former origin that had open requests. */
  former_origins: Record<string, FormerOrigin>
  /** The name of the account in use since another one followed the first; null for the first. */
  gateway_account: string | null
}

/** Whose requests are at a former origin: this account's, which has moved, or another one's. */
export type FormerOrigin = "same_account" | "another_account"

/** Nothing saved yet. */
export const NOTHING_STORED: StoredSettings = {
  version: 0,
  updated_at: null,
  options: {},
  secrets: {},
  bound_base_url: null,
  former_origins: {},
  gateway_account: null,
}

/** What a provider of medusa-config gives. */
export interface Registration {
  providerId: string
  options: ProviderOptions
  /** Names of the options that are given; the others have their defaults in `options`. */
  given: ReadonlySet<string>
}

/** The origin of an address. What is no address was not saved here and is the origin of nothing else. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
