import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import { authNameAt, toFieldName } from "../../../modules/crypto-payments/settings/names"
import {
  authSchema,
  SAVED_SETTINGS,
  secretText,
} from "../../../modules/crypto-payments/settings/options-schema"
import { answerProblem } from "./respond"

const secret = secretText.max(4096).nullish()
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,127}$/, { error: "must be a header's name" })

/** The form of the settings, saved or not. A blank field removes what is stored, as null does. */
export const AdminCheckCryptoSettings = z.strictObject({
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

/** A save of the form. */
export const AdminSaveCryptoSettings = AdminCheckCryptoSettings.extend({
  version: z.int().nonnegative(),
  confirm_origin_change: z.boolean().optional(),
  same_account: z.boolean().optional(),
  discard_unreadable_secrets: z.boolean().optional(),
})

/**
 * Validates a body as core does, and names the fields that are wrong, so that a form can show errors next to them.
 * Core's own message quotes the given value, which may be a secret.
 */
export function validateSettings(schema: z.ZodObject) {
  return (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): void => {
    const { data, error } = schema.safeParse(req.body)
    if (error === undefined) {
      req.validatedBody = data
      next()
      return
    }
    const reasons = error.issues.map(({ path, message }) =>
      [path.join("."), message].filter(Boolean).join(": ")
    )
    const fields = error.issues.flatMap(({ path }) => toField(path.map(String)) ?? [])
    answerProblem(res, 400, {
      code: "invalid",
      message: `Invalid request: ${reasons.join("; ")}`,
      fields: [...new Set(fields)],
    })
  }
}

/** The setting that a place in the body belongs to; undefined for the body as a whole. */
function toField([first, ...rest]: string[]): string | undefined {
  return first === "auth" ? authNameAt(rest) : first
}
