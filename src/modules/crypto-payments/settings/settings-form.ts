import { z } from "@medusajs/framework/zod"
import { Refused } from "../errors"
import {
  gives,
  mayGetConfigured,
  originInUse,
  type EffectiveSettings,
  type StoredSettings,
} from "./effective-settings"
import type { Secret } from "./encryption-keys"
import { headerOfSecret, readAuth, settingAt, toFieldName, type AuthInput, type SecretInputs } from "./names"
import { authSchema, secretText, SETTING_SCHEMAS } from "./options-schema"
import { DEFAULTS, settingOf, type FormSetting, type SettingName, type SettingValues } from "./setting"

const secret = secretText.max(4096).nullish()
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,127}$/, { error: "must be a header's name" })

/** A blank field removes what is stored, as null does. */
const blankIsNull = (schema: z.ZodType) =>
  z.preprocess((value) => (value === "" ? null : value), schema.nullish()).optional()

const form = z.strictObject({
  ...Object.fromEntries(
    Object.entries(SETTING_SCHEMAS).flatMap(([name, schema]) =>
      settingOf(name)?.given === "config" ? [] : [[name, blankIsNull(schema)] as const]
    )
  ),
  auth: authSchema(secret, headerName, toFieldName).nullish(),
  secret_key: secret,
})

/** Omitted settings stay as they are; null removes what is stored. */
export type SettingsInput = { [Name in FormSetting]?: SettingValues[Name] | null } & {
  auth?: AuthInput | null
  secret_key?: string | null
}

const OF_SAVE = {
  version: z.int().nonnegative(),
  confirm_origin_change: z.boolean().optional(),
  same_account: z.boolean().optional(),
  drop_former_key: z.boolean().optional(),
}

export type SaveSettings = SettingsInput & z.output<z.ZodObject<typeof OF_SAVE>>

export const AdminCheckCryptoSettings = form as z.ZodType as z.ZodType<SettingsInput>
export const AdminSaveCryptoSettings = form.extend(OF_SAVE) as z.ZodType as z.ZodType<SaveSettings>

/** Why settings are not saved or tested, for the form. @param fields names of the fields concerned */
export function refusal(
  code: "locked" | "invalid" | "secrets_required" | "origin_not_allowed",
  message: string,
  fields: string[]
): Refused {
  return new Refused(400, { code, message, fields })
}

/** Names the wrong fields, so that the form can show errors. Core's message would quote a value. @throws Refused */
export function parseSettings<Form>(schema: z.ZodType<Form>, body: unknown): Form {
  const { data, error } = schema.safeParse(body)
  if (error === undefined) {
    return data
  }
  const reasons = error.issues.map(({ path, message }) =>
    [path.join("."), message].filter(Boolean).join(": ")
  )
  // An issue of the whole body names no field.
  const fields = error.issues.flatMap(({ path }) => settingAt(path.map(String)) ?? [])
  throw refusal("invalid", `Invalid request: ${reasons.join("; ")}`, [...new Set(fields)])
}

/**
 * Applies a form to the settings in force. Secrets never go to an origin they were not given for.
 *
 * @returns the settings as they would be saved, with decrypted secrets: never show them; and whether the form gives a
 *   secret
 * @throws Refused
 */
export function draftSettings(
  effective: EffectiveSettings,
  { auth, secret_key, ...plain }: SettingsInput
): { stored: StoredSettings; givesSecret: boolean } {
  const { registration, stored } = effective
  const signIn = readAuth(auth)
  const isSameType = auth === undefined || auth?.type === effective.auth_type
  const changed: Record<string, unknown> = { ...plain, ...signIn.values }
  const given: SecretInputs = { secret_key, ...signIn.secrets }
  refuseLocked(effective, changed, given)
  const values: StoredSettings["values"] = Object.fromEntries(
    Object.entries({ ...stored.values, ...changed }).filter(
      ([name, value]) =>
        value !== null && (isSameType || !name.startsWith("auth_") || Object.hasOwn(changed, name))
    )
  )
  const origin = originInUse(registration, values)
  const isInCode = registration.authenticate !== undefined
  const configured = Object.keys(registration.secrets).filter((name) => gives(registration, name))
  const unsent = [...(isInCode ? ["auth"] : []), ...configured]
  if (plain.base_url && unsent.length > 0 && !mayGetConfigured(registration, origin)) {
    const message = `medusa-config gives ${unsent.join(", ")}, which are not sent to an address that is typed here. Give baseUrl in medusa-config, or name ${origin ?? ""} there in allowedOrigins.`
    throw refusal("origin_not_allowed", message, ["base_url"])
  }
  const names = Object.keys({ ...(auth === undefined ? stored.secrets : {}), ...given })
  const savedOf = (name: string): Secret[] =>
    isSameType || name === "secret_key" ? (stored.secrets[name] ?? []) : []
  // Secrets that were saved without an address were given for none, so the first address requires them again.
  const isMoving = origin !== null && origin !== effective.origin
  // Nobody can give again what medusa-config gives, or what belongs to an authentication that it has replaced.
  const canBeGiven = (name: string): boolean =>
    !configured.includes(name) &&
    (name === "secret_key" || !isInCode) &&
    (effective.secrets.has(name) || given[name] !== undefined)
  const asked = names.filter(
    (name) => canBeGiven(name) && savedOf(name).length > 0 && !given[name] && given[name] !== null
  )
  if (isMoving && asked.length > 0) {
    const message = `Secrets never go to an address they were not given for. For the new gateway address, give again: ${asked.sort().join(", ")}.`
    throw refusal("secrets_required", message, asked)
  }
  const drafted = names.flatMap((name) => {
    const secrets = draftSecret(name, given[name], isMoving ? [] : savedOf(name))
    // A header exists as soon as it is named; without a value it is missing.
    const isNamed = headerOfSecret(name) !== undefined && given[name] !== null
    return secrets.length > 0 || (isNamed && (canBeGiven(name) || !isMoving))
      ? [[name, secrets] as const]
      : []
  })
  return {
    stored: { ...stored, values, secrets: Object.fromEntries(drafted) },
    givesSecret: Object.values(given).some(Boolean),
  }
}

/** medusa-config's settings are not changed here. A header that it does not name cannot be added either. */
function refuseLocked(
  { registration, secrets }: EffectiveSettings,
  changed: Record<string, unknown>,
  given: SecretInputs
): void {
  const isUnknownHeader = (name: string): boolean =>
    gives(registration, "auth_type") && headerOfSecret(name) !== undefined && !secrets.has(name)
  const isOther = (name: string): boolean => {
    const value = changed[name] ?? DEFAULTS[name as SettingName]
    const isChanged = JSON.stringify(value) !== JSON.stringify(registration.values[name as SettingName])
    return given[name] === undefined ? isChanged : given[name] !== ""
  }
  const locked = Object.keys({ ...changed, ...given }).filter(
    (name) => isUnknownHeader(name) || (gives(registration, name) && isOther(name))
  )
  if (locked.length > 0) {
    throw refusal("locked", `medusa-config gives ${locked.join(", ")}. Change it there.`, locked)
  }
}

/**
 * The secrets of one name, newest first. Blank keeps the saved one, null removes it. The key before a new one stays
 * accepted: the gateway may still sign with it, and what it verifies is only looked up at the gateway.
 */
function draftSecret(name: string, given: SecretInputs[string], saved: Secret[]): Secret[] {
  if (given === null) {
    return []
  }
  const former = saved.filter((one) => name === "secret_key" && typeof one === "string").slice(0, 1)
  return given ? [given, ...former] : saved
}
