import { toFieldNames, toOptionNames } from "./names"
import type { SavedAuth, SavedOptions, StoredConnection, StoredSettings } from "./stored-settings"

/** A row of `crypto_payment_settings`, with the connections of its provider. */
export interface SettingsRow extends StoredColumns {
  provider_id: string
  version: number
  updated_at: Date | null
  bound_base_url: string | null
  connections: StoredConnection[]
}

interface StoredColumns {
  plain: PlainColumn
  /** Sealed texts by name, newest first. */
  secrets: Record<string, string[]>
}

/**
 * What is saved and no secret is under `options`. Version 0.1 knows only the other keys, which say the same in its
 * spelling. While both run, it reads these keys; when it saves, it writes them without `options`.
 */
type PlainColumn = Record<string, unknown> & { options?: SavedOptions }

/** @returns what is saved, whichever release wrote it */
export function readRow({
  plain,
  secrets,
  ...row
}: Omit<SettingsRow, "provider_id" | "connections">): StoredSettings {
  return {
    ...row,
    options: plain.options ?? fromFields(plain),
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, texts]) => [name, texts.map((sealed) => ({ sealed }))])
    ),
  }
}

/** @returns what is written, for this release and the ones before it */
export function writeRow({ options, secrets }: Pick<StoredSettings, "options" | "secrets">): StoredColumns {
  const { auth, ...others } = options
  return {
    plain: { ...toFieldNames<unknown>(others), ...(auth && toAuthFields(auth)), options },
    secrets: Object.fromEntries(
      Object.entries(secrets).map(([name, saved]) => [name, saved.map(({ sealed }) => sealed)])
    ),
  }
}

function fromFields({ auth_type, auth_username, auth_header_names, ...fields }: PlainColumn): SavedOptions {
  const auth = withoutUndefined({
    type: auth_type,
    username: auth_username,
    headerNames: auth_header_names && toOptionNames(auth_header_names as Record<string, string>),
  })
  return {
    ...toOptionNames(fields),
    ...(auth_type === undefined ? {} : { auth: auth as unknown as SavedAuth }),
  }
}

function toAuthFields({ type, username, headerNames }: SavedAuth): Record<string, unknown> {
  return withoutUndefined({
    auth_type: type,
    auth_username: username,
    auth_header_names: headerNames && toFieldNames({ ...headerNames }),
  })
}

function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
