import { z } from "@medusajs/framework/zod"
import {
  AUTH_TYPES,
  authFields,
  CURRENCY_SYMBOLS,
  isPrivate,
  normalizeHost,
  type AuthFieldKind,
  type AuthType,
  type CurrencySymbol,
  type GatewayAuth,
} from "../../../gateway"
import { isMoreThan, toTwoDecimals } from "../../../decision"
import { inputText } from "../input-text"
import { renamed, toOptionName } from "./names"

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

const amount = z
  .string({ error: 'must be a text such as "5.00", in quotes: a number is not exact' })
  .trim()
  .regex(/^\d{1,12}(\.\d{1,2})?$/, { error: 'must be an amount such as "5.00", with two decimals at most' })
  .transform(toTwoDecimals)

export const CURRENCIES = CURRENCY_SYMBOLS.map((symbol) => symbol.toLowerCase() as Lowercase<CurrencySymbol>)

/** Decimal strings with two decimals. A currency without an amount is absent. */
export type AmountPerCurrency = Partial<Record<(typeof CURRENCIES)[number], string>>

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

/** The settings without secrets that medusa-config or the admin can give. */
export const SAVED_SETTINGS = {
  base_url: gatewayAddress.describe(
    "Gateway address with its version prefix; endpoint paths are appended. https, or http on loopback"
  ),
  success_url: webAddress.describe(
    "Where the payer returns after paying; may hold the placeholders {session_id} and {country_code}"
  ),
  failed_url: webAddress.describe(
    "Where the payer returns after not paying; may hold the placeholders {session_id} and {country_code}"
  ),
  order_placement: z
    .enum(["after_payment", "before_payment"])
    .describe("Whether the order is placed once paid, or first and unpaid"),
  unpaid_order_ttl_minutes: z
    .int()
    .positive()
    .max(525_600)
    .describe(
      "With before_payment: cancel unpaid orders after this many minutes; a storefront can prolong it to twice that"
    ),
  timeout_ms: z
    .int()
    .min(500)
    .max(25_000)
    .describe("Deadline of one gateway call in milliseconds, below core's 30 s cart lock"),
  payment_link_hosts: z
    .array(linkHost)
    .min(1, { error: "must name a host; leave it out to take every https host" })
    .max(50)
    .describe("Hosts a payment link may point to; without it any https host"),
  reuse_open_links: z
    .boolean()
    .describe("Whether the open link of the same collection, amount, currency and payer is used again"),
  min_amount: perCurrency(amount).describe(
    'Smallest amount of a cart that is paid in crypto, per currency: { "usd": "5.00" }'
  ),
  max_amount: perCurrency(
    amount.refine((most) => isMoreThan(most, 0), { error: "must be above zero" })
  ).describe('Largest amount of a cart that is paid in crypto, per currency: { "usd": "10000.00" }'),
}

/** Settings that a form names one by one; those of the authentication are in its `auth`. */
export type SavedSetting = keyof typeof SAVED_SETTINGS
type SavedValues = { [Name in SavedSetting]: z.output<(typeof SAVED_SETTINGS)[Name]> }

const NO_VALUES = Object.fromEntries(Object.keys(SAVED_SETTINGS).map((name) => [name, null])) as {
  [Name in SavedSetting]: SavedValues[Name] | null
}

/** The settings that are not secret, with their defaults. Null: no value, and no default. */
export const DEFAULTS = {
  ...NO_VALUES,
  order_placement: "after_payment" as SavedValues["order_placement"],
  timeout_ms: 8000,
  reuse_open_links: true as boolean,
  /** Only medusa-config sets it. */
  public_url: null as string | null,
  /** `function`: set in code, in medusa-config. */
  auth_type: "none" as AuthType | "function",
  auth_username: null as string | null,
  /** Names of a signature's headers, where they differ from the defaults. */
  auth_header_names: null as Partial<
    Record<"api_key" | "timestamp" | "signature", string | undefined>
  > | null,
}

export type SettingValues = typeof DEFAULTS

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
export const OTHER_OPTIONS = {
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
  core_completion: z
    .boolean()
    .default(false)
    .describe(
      "Whether core's workflow completes a paid cart although the store has a route or workflow of its own for that; without it crypto is not offered there"
    ),
  public_url: bareAddress
    .optional()
    .describe("The store's public address, for the webhook address and its self-test"),
}

/** What `readRegistrations` checks medusa-config with: options that JSON can express. `auth` may also be a function. */
export const writtenOptionsSchema = z.strictObject(
  renamed<z.ZodType>(
    {
      ...Object.fromEntries(
        Object.entries(SAVED_SETTINGS).map(([name, schema]: [string, z.ZodType]) => {
          const preset = DEFAULTS[name as SavedSetting]
          return [name, schema.optional().meta(preset === null ? {} : { default: preset })]
        })
      ),
      ...OTHER_OPTIONS,
    },
    toOptionName
  )
)

/** The options of one provider of medusa-config. */
export interface Registration {
  providerId: string
  values: Partial<SettingValues>
  /** By name, the current one first; no value if a header is only named. */
  secrets: Record<string, string[]>
  authenticate: Extract<GatewayAuth, (...args: never[]) => unknown> | undefined
  allowedOrigins: string[]
  coreCompletion: boolean
  notifications: { channel: string; to: string } | false
}
