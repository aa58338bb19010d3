import { z } from "@medusajs/framework/zod"
import {
  AUTH_TYPES,
  authFields,
  isPrivate,
  normalizeHost,
  type AuthFieldKind,
  type AuthType,
  type GatewayAuth,
} from "../../../gateway"
import { isMoreThan, toTwoDecimals } from "../../../decision"
import { inputText } from "../input-text"
import { renamed, toOptionName } from "./names"
import { ALL_SETTINGS, CURRENCIES, type GivenSettings, type Setting } from "./setting"

/** A text of a hash or a header. Blanks from copying are removed at its ends; inside it, they are a mistake. */
export const secretText = inputText.trim().refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), {
  error: "must have no line break and no invisible character",
})

/** Blank strings count as "not given": an unset environment variable must not stop the boot. */
const optionalSecret = secretText.optional().transform((value) => (value === "" ? undefined : value))

const NO_WEB_ADDRESS = "must be an absolute http or https address"
const webAddress = z
  .url({ protocol: /^https?$/, error: NO_WEB_ADDRESS, abort: true })
  // URL parsers correct these; a browser or the gateway may find another address in them.
  .refine((address) => /^https?:\/\/(?!\/)[^\\\p{Cc}\p{Cs}]+$/iu.test(address), { error: NO_WEB_ADDRESS })
  // The address is stored and shown in plain text, and a password in it would be too.
  .refine((address) => !/^[^/]*\/\/[^/?#]*@/.test(address), { error: "must have no credentials" })

const bareAddress = webAddress.refine((address) => !/[?#]/.test(address), {
  error: "must have no query or fragment",
})

const gatewayAddress = bareAddress.refine((address) => isPrivate(new URL(address)), {
  error: "must be https (http only on loopback)",
})

const gatewayOrigin = gatewayAddress
  .refine((address) => new URL(address).pathname === "/", {
    error: "must be an origin: scheme, host and port, without a path",
  })
  .transform((address) => new URL(address).origin)

/** A host a payment link may point to, in the form that a link's host is compared with. */
const linkHost = inputText
  .trim()
  .transform(normalizeHost)
  .pipe(z.string({ error: "must be a host such as pay.example, or host:port, without a path or a wildcard" }))

const linkHosts = z
  .array(linkHost)
  .min(1, { error: "must name a host; leave it out to take every https host" })
  .max(50)
  .transform((hosts) => [...new Set(hosts)])

const amount = z
  .string({ error: 'must be a text such as "5.00", in quotes: a number is not exact' })
  .trim()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, { error: 'must be an amount such as "5.00", with two decimals at most' })
  .transform(toTwoDecimals)
const amountAboveZero = amount.refine((most) => isMoreThan(most, 0), { error: "must be above zero" })

function perCurrency(amounts: z.ZodType<string, string>) {
  const error = ({ code }: { code?: string | undefined }) =>
    code === "invalid_key"
      ? `must be ${CURRENCIES.join(" or ")}, which the gateway takes, and each only once`
      : undefined
  return z.preprocess(inLowerCase, z.partialRecord(z.enum(CURRENCIES), amounts, { error }))
}

/** Currencies in any case, always in the same order. An unset environment variable gives no limit. */
function inLowerCase(value: unknown): unknown {
  if (typeof value !== "object" || value === null) {
    return value
  }
  const given = Object.entries(value).filter(([, one]) => one !== undefined && one !== "")
  const lower = Object.fromEntries(given.map(([name, one]) => [name.toLowerCase(), one] as const).sort())
  // A currency that is given twice stays as it is, and is refused.
  return Object.keys(lower).length === given.length ? lower : value
}

/** By kind. A part of `auth` is checked with its type. */
const OF_KIND: Partial<Record<Setting["kind"], z.ZodType>> = {
  gateway: gatewayAddress,
  store: bareAddress,
  page: webAddress,
  hosts: linkHosts,
  switch: z.boolean(),
  amounts: perCurrency(amount),
}

function schemaOf({ kind, range, choices, isAboveZero }: Setting): z.ZodType | undefined {
  const limited = range && z.int().min(range[0]).max(range[1])
  const above = isAboveZero && perCurrency(amountAboveZero)
  return limited ?? (choices && z.enum(choices)) ?? above ?? OF_KIND[kind]
}

/** Of the settings that are given one by one, in medusa-config or in a form. */
export const SETTING_SCHEMAS = Object.fromEntries(
  ALL_SETTINGS.flatMap(([name, setting]) => {
    const { given, description, preset } = setting
    const schema = given === "auth" ? undefined : schemaOf(setting)
    const meta = { ...(preset !== undefined && { default: preset }), description }
    return schema === undefined ? [] : [[name, schema.meta(meta)] as const]
  })
)

/**
 * @param text schema of a secret or a user name
 * @param headerName schema of a header of the merchant's own, or of a signature
 * @param nameOf the name of a field, by its option
 */
export function authSchema(
  text: z.ZodType,
  headerName: z.ZodType<string, string>,
  nameOf: (option: string) => string
): z.ZodType {
  const names = { apiKey: headerName, timestamp: headerName, signature: headerName }
  const schemas: Record<AuthFieldKind, z.ZodType> = {
    secret: text,
    optional_secret: text,
    text,
    secret_headers: z.record(headerName, text),
    header_names: z.strictObject(renamed(names, nameOf)).partial().optional(),
  }
  const [first, ...others] = (Object.keys(AUTH_TYPES) as AuthType[]).map((type) =>
    z.strictObject({
      type: z.literal(type),
      ...Object.fromEntries(authFields(type).map(([option, kind]) => [nameOf(option), schemas[kind]])),
    })
  )
  return z.discriminatedUnion("type", [first as NonNullable<typeof first>, ...others])
}

/** Options that only medusa-config can give. */
const OTHER_OPTIONS = {
  secret_key: z
    .union([secretText, z.array(secretText)])
    .transform((keys) => [keys].flat().filter((key) => key !== ""))
    .optional()
    .describe("Key of the approval hash; a list is accepted for rotation, the first is current"),
  auth: authSchema(optionalSecret, z.string(), (option) => option)
    .optional()
    .meta({ default: { type: "none" } })
    .describe("How requests to the gateway are authenticated; in code also a function (request) => headers"),
  allowed_origins: z
    .array(gatewayOrigin)
    .default([])
    .describe(
      "Origins that secrets given here may be sent to when the gateway address is saved in the admin; without it none"
    ),
  notifications: z
    .union([
      z.literal(false),
      z.strictObject({ channel: z.literal("feed"), to: z.string().default("") }),
      z.strictObject({ channel: z.string().min(1), to: z.string().min(1) }),
    ])
    // An empty receiver is every user of the admin.
    .default({ channel: "feed", to: "" })
    .describe(
      "Where the merchant is told of new cases: a channel of Medusa's Notification module and the receiver, or false"
    ),
  remind_channel: z
    .string()
    .min(1)
    .optional()
    .describe(
      "Channel of Medusa's Notification module on which the payer is reminded, with the template crypto-payment-reminder"
    ),
  core_completion: z
    .boolean()
    .default(false)
    .describe(
      "Whether core's workflow completes a paid cart although the store has a route or workflow of its own for that; without it crypto is not offered there"
    ),
}

/** What `readRegistrations` checks medusa-config with: options that JSON can express. `auth` may also be a function. */
export const writtenOptionsSchema = z.strictObject(
  renamed<z.ZodType>({ ...z.object(SETTING_SCHEMAS).partial().shape, ...OTHER_OPTIONS }, toOptionName)
)

export type OtherOptions = z.output<z.ZodObject<typeof OTHER_OPTIONS>>

/** The options of one provider of medusa-config. */
export interface Registration extends GivenSettings, Omit<OtherOptions, "secret_key" | "auth"> {
  providerId: string
  secrets: Record<string, string[]>
  authenticate: Extract<GatewayAuth, (...args: never[]) => unknown> | undefined
}
