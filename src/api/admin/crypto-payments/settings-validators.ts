import { z } from "@medusajs/framework/zod"
import { writtenOptionsSchema } from "../../../modules/crypto-payments/settings/options-schema"

const { baseUrl, successUrl, failedUrl, orderPlacement, unpaidOrderTtlMinutes, timeoutMs } =
  writtenOptionsSchema.shape

// A secret goes into a header or a hash: a line break in it is a slip of the clipboard, and never right.
const secret = z
  .string()
  .max(4096)
  .refine((text) => [...text].every((character) => character >= " " && character !== "\u007f"), {
    error: "must have no line breaks",
  })
  .nullish()
/** A blank field of a form removes what is stored, as null does. */
const orBlank = <Schema extends z.ZodType>(schema: Schema) =>
  z.union([z.literal("").transform(() => null), schema, z.null()]).optional()
const headerName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9!#$%&'*+.^_`|~-]{0,127}$/, { error: "must be a header's name" })

const auth = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("bearer"), token: secret }),
  z.strictObject({ type: z.literal("basic"), username: z.string().max(512).optional(), password: secret }),
  z.strictObject({ type: z.literal("headers"), headers: z.record(headerName, secret) }),
  z.strictObject({
    type: z.literal("signature"),
    api_key: secret,
    secret_key: secret,
    header_names: z
      .strictObject({
        api_key: headerName.optional(),
        timestamp: headerName.optional(),
        signature: headerName.optional(),
      })
      .optional(),
  }),
])

/** The form of the settings, saved or not. */
export const AdminCheckCryptoSettings = z.strictObject({
  base_url: orBlank(baseUrl.unwrap()),
  success_url: orBlank(successUrl.unwrap()),
  failed_url: orBlank(failedUrl.unwrap()),
  order_placement: orBlank(orderPlacement.unwrap()),
  unpaid_order_ttl_minutes: orBlank(unpaidOrderTtlMinutes.unwrap().max(525_600)),
  timeout_ms: orBlank(timeoutMs.unwrap()),
  payment_link_hosts: orBlank(z.array(z.string().trim().min(1).max(255)).min(1).max(50)),
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
  discard_unreadable_secrets: z.boolean().optional(),
})
export type AdminSaveCryptoSettingsType = z.infer<typeof AdminSaveCryptoSettings>

/** The former address that is given up. */
export const AdminForgetCryptoOrigin = z.strictObject({ origin: z.string().min(1).max(2048) })
export type AdminForgetCryptoOriginType = z.infer<typeof AdminForgetCryptoOrigin>
