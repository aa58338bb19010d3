import {
  type MedusaNextFunction,
  type MedusaRequest,
  type MedusaResponse,
  validateAndTransformBody,
} from "@medusajs/framework/http"
import { z } from "@medusajs/framework/zod"
import { toFieldName, headerSecretName, toOptionName } from "../../../modules/crypto-payments/settings/names"
import {
  authSchema,
  secretText,
  writtenOptionsSchema,
} from "../../../modules/crypto-payments/settings/options-schema"
import type { CheckedForm } from "../../../modules/crypto-payments/settings/settings-input"
import { answerProblem } from "./respond"

const { baseUrl, successUrl, failedUrl, orderPlacement, unpaidOrderTtlMinutes, timeoutMs, paymentLinkHosts } =
  writtenOptionsSchema.shape

const secret = secretText.max(4096).nullish()
/** A blank field of a form removes what is stored, as null does. */
const orBlank = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => null), schema, z.null()]).optional()
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,127}$/, { error: "must be a header's name" })

const auth = authSchema(
  {
    secret,
    optional_secret: secret,
    secret_headers: z.record(headerName, secret),
    text: secretText.max(512).optional(),
    header_names: z
      .strictObject({
        api_key: headerName.optional(),
        timestamp: headerName.optional(),
        signature: headerName.optional(),
      })
      .optional(),
  },
  toFieldName
) as z.ZodType<CheckedForm["auth"]>

/** The form of the settings, saved or not. */
export const AdminCheckCryptoSettings = z.strictObject({
  base_url: orBlank(baseUrl.unwrap()),
  success_url: orBlank(successUrl.unwrap()),
  failed_url: orBlank(failedUrl.unwrap()),
  order_placement: orBlank(orderPlacement.unwrap()),
  unpaid_order_ttl_minutes: orBlank(unpaidOrderTtlMinutes.unwrap().max(525_600)),
  timeout_ms: orBlank(timeoutMs.unwrap()),
  payment_link_hosts: orBlank(paymentLinkHosts.unwrap().max(50)),
  reuse_open_links: orBlank(z.boolean()),
  auth: auth.nullish(),
  secret_key: secret,
  former_secret_keys: z.enum(["keep", "drop"]).optional(),
})
export type AdminCheckCryptoSettingsType = z.infer<typeof AdminCheckCryptoSettings>

/** A save of the form. */
export const AdminSaveCryptoSettings = AdminCheckCryptoSettings.extend({
  version: z.int().nonnegative(),
  confirm_origin_change: z.boolean().optional(),
  same_account: z.boolean().optional(),
  discard_unreadable_secrets: z.boolean().optional(),
})
export type AdminSaveCryptoSettingsType = z.infer<typeof AdminSaveCryptoSettings>

/**
 * As core validates a body, and names the fields that are wrong, so that a form can show errors next to them. Core's
 * own message quotes the given value, which may be a secret.
 */
export function validateSettings(schema: z.ZodObject) {
  const validate = validateAndTransformBody(schema)
  return async (req: MedusaRequest, res: MedusaResponse, next: MedusaNextFunction): Promise<void> => {
    await validate(req, res, (error?: unknown) => {
      const issues = schema.safeParse(req.body).error?.issues
      if (!(error instanceof Error) || issues === undefined) {
        next(error)
        return
      }
      const fields = issues.map(({ path }) => toField(path)).filter((field) => field !== undefined)
      answerProblem(res, 400, { code: "invalid", message: describe(issues), fields: [...new Set(fields)] })
    })
  }
}

/** Which settings are wrong and why, without any value. */
function describe(issues: readonly z.core.$ZodIssue[]): string {
  const sentences = issues.map((issue) => {
    const name = issue.path.map(String).join(".")
    return `${name === "" ? "" : `${name}: `}${reasonOf(issue)}`
  })
  return `Invalid request: ${sentences.join("; ")}`
}

/** Of a field that may also be left blank, why it is not what it has to be otherwise. */
function reasonOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== "invalid_union") {
    return issue.message
  }
  const reasons = issue.errors.flat().filter((inner) => !isBlank(inner))
  return reasons.map(reasonOf)[0] ?? issue.message
}

function isBlank(issue: z.core.$ZodIssue): boolean {
  return (
    (issue.code === "invalid_value" && issue.values.join("") === "") ||
    (issue.code === "invalid_type" && issue.expected === "null")
  )
}

/** The setting that a place in the body belongs to; undefined for the body as a whole. */
function toField([first, second, third]: PropertyKey[]): string | undefined {
  if (first !== "auth") {
    return first === undefined ? undefined : String(first)
  }
  if (second === "headers" && third !== undefined) {
    return headerSecretName(String(third))
  }
  return second === undefined || second === "type"
    ? "auth"
    : toFieldName(`auth.${toOptionName(String(second))}`)
}
