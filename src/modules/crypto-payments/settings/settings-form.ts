import { z } from "@medusajs/framework/zod"
import { Refused } from "../errors"
import { settingAt, toFieldName, type AuthInput } from "./names"
import {
  authSchema,
  SAVED_SETTINGS,
  secretText,
  type SavedSetting,
  type SettingValues,
} from "./options-schema"

const secret = secretText.max(4096).nullish()
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,127}$/, { error: "must be a header's name" })

/** A blank field removes what is stored, as null does. */
const form = z.strictObject({
  ...Object.fromEntries(
    Object.entries(SAVED_SETTINGS).map(([name, schema]: [string, z.ZodType]) => [
      name,
      z.preprocess((value) => (value === "" ? null : value), schema.nullish()).optional(),
    ])
  ),
  auth: authSchema(secret, headerName, toFieldName).nullish(),
  secret_key: secret,
  former_secret_keys: z.enum(["keep", "drop"]).optional(),
})

/** Omitted settings stay as they are; null removes what is stored. */
export type SettingsInput = { [Name in SavedSetting]?: SettingValues[Name] | null } & {
  auth?: AuthInput | null
  secret_key?: string | null
  former_secret_keys?: "keep" | "drop"
}

const OF_SAVE = {
  version: z.int().nonnegative(),
  confirm_origin_change: z.boolean().optional(),
  same_account: z.boolean().optional(),
  discard_unreadable_secrets: z.boolean().optional(),
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
