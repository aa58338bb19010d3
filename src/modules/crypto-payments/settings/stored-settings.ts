import type { SettingValues } from "../../../http-contract"
import type { ConfiguredSettings } from "./options-schema"

/** A sealed text, as it is stored, or a secret that a form has just given, which is never to be kept or shown. */
export type Secret = string | { given: string }

/** What is saved for one provider, or would be. */
export interface StoredSettings {
  version: number
  updated_at: Date | null
  /** What is no secret. */
  options: Partial<SettingValues>
  /** By name, newest first. A header that has no value yet is there, and empty. */
  secrets: Record<string, Secret[]>
  /** The gateway address the secrets were given for. They are sealed for its origin, so it cannot be changed alone. */
  bound_base_url: string | null
  /** What an admin user has said of each former origin that had open requests. */
  former_origins: Record<string, WhoseRequests>
  /** The name of the account in use since another one followed the first; null for the first. */
  gateway_account: string | null
}

/** Whose the requests of a former origin are: this account's, which has moved, or another one's. */
export type WhoseRequests = "same_account" | "another_account"

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

/** A provider of medusa-config. */
export interface Registration extends ConfiguredSettings {
  providerId: string
}

/** The origin of an address. What is no address was not saved here and is the origin of nothing else. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null || !URL.canParse(baseUrl) ? baseUrl : new URL(baseUrl).origin
}
