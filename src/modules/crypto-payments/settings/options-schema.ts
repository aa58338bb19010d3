import { z } from "@medusajs/framework/zod"
import {
  AUTH_TYPES,
  authFields,
  isLoopback,
  normalizeHost,
  type AuthFieldKind,
  type AuthType,
  type GatewayAuth,
  type SignatureHeaderNames,
} from "../../../gateway"

/** A text of a hash or a header. What was copied with it is taken away at its ends; within it, it is a mistake. */
export const secretText = z
  .string()
  .trim()
  .refine((text) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text), {
    error: "must have no line break and no invisible character",
  })

/** Blank strings count as "not given": an unset environment variable must not stop the boot. */
const optionalSecret = secretText.optional().transform((value) => (value === "" ? undefined : value))

const webAddress = z
  .url({ protocol: /^https?$/, error: "must be an absolute http or https address", abort: true })
  // Written here, a password would be stored and shown in the open, as the address is.
  .refine(hasNone("username", "password"), { error: "must have no credentials" })

const bareAddress = webAddress.refine(hasNone("search", "hash"), { error: "must have no query or fragment" })

const gatewayAddress = bareAddress.refine(
  (address) => new URL(address).protocol === "https:" || isLoopback(new URL(address).hostname),
  { error: "must be https (http only on loopback)" }
)

const gatewayOrigin = gatewayAddress
  .refine((address) => new URL(address).pathname === "/", {
    error: "must be an origin: scheme, host and port, without a path",
  })
  .transform((address) => new URL(address).origin)

/** A host a payment link may point to: kept in the form that a link's host is compared with. */
const linkHost = z
  .string()
  .trim()
  .refine((text) => normalizeHost(text) !== undefined, {
    error: "must be a host such as pay.example, or host:port, without a path or a wildcard",
  })
  .transform((text) => normalizeHost(text) ?? text)

const AUTH_FIELDS: Record<AuthFieldKind, z.ZodType> = {
  secret: optionalSecret,
  optional_secret: optionalSecret,
  text: optionalSecret,
  secret_headers: z.record(z.string(), optionalSecret),
  header_names: z
    .strictObject({
      apiKey: z.string().optional(),
      timestamp: z.string().optional(),
      signature: z.string().optional(),
    })
    .optional(),
}

/** An authentication as it can be written down; what is not given may be saved in the admin. */
export type WrittenAuth = {
  [Type in AuthType]: { type: Type } & {
    [Option in keyof (typeof AUTH_TYPES)[Type]]?: (typeof AUTH_TYPES)[Type][Option] extends "secret_headers"
      ? Record<string, string | undefined>
      : (typeof AUTH_TYPES)[Type][Option] extends "header_names"
        ? SignatureHeaderNames
        : string | undefined
  }
}[AuthType]

/**
 * A schema with an alternative for each type of authentication.
 *
 * @param schemas of a field, by its kind
 * @param nameOf how a field is called, by its option
 */
export function authSchema(
  schemas: Record<AuthFieldKind, z.ZodType>,
  nameOf: (option: string) => string = (option) => option
): z.ZodType {
  const [first, ...others] = (Object.keys(AUTH_TYPES) as AuthType[]).map((type) =>
    z.strictObject({
      type: z.literal(type),
      ...Object.fromEntries(authFields(type).map(([option, kind]) => [nameOf(option), schemas[kind]])),
    })
  )
  return z.discriminatedUnion("type", [first as NonNullable<typeof first>, ...others])
}

const authByType = authSchema(AUTH_FIELDS) as z.ZodType<WrittenAuth>

const authByFunction = z.custom<Extract<GatewayAuth, (...args: never[]) => unknown>>(
  (value) => typeof value === "function"
)

/** Options that can be written down as JSON; `auth` may in code also be a function. */
export const writtenOptionsSchema = z.strictObject({
  baseUrl: gatewayAddress
    .optional()
    .describe(
      "Gateway address with its version prefix; endpoint paths are appended. https, or http on loopback"
    ),
  secretKey: z
    .union([secretText, z.array(secretText)])
    .transform((keys) => [keys].flat().filter((key) => key !== ""))
    .optional()
    .describe("Key of the approval hash; a list is accepted for rotation, the first is current"),
  auth: authByType
    .default({ type: "none" })
    .describe("How requests to the gateway are authenticated; in code also a function (request) => headers"),
  successUrl: webAddress
    .optional()
    .describe("Where the payer returns after paying; may hold the placeholder {session_id}"),
  failedUrl: webAddress
    .optional()
    .describe("Where the payer returns after not paying; may hold the placeholder {session_id}"),
  orderPlacement: z
    .enum(["after_payment", "before_payment"])
    .default("after_payment")
    .describe("Whether the order is placed once paid, or first and unpaid"),
  unpaidOrderTtlMinutes: z
    .int()
    .positive()
    .optional()
    .describe(
      "With before_payment: cancel unpaid orders after this many minutes; a storefront can prolong it to twice that"
    ),
  timeoutMs: z
    .int()
    .min(500)
    .max(25_000)
    .default(8000)
    .describe("Deadline of one gateway call in milliseconds, below core's 30 s cart lock"),
  paymentLinkHosts: z
    .array(linkHost)
    .min(1, { error: "must name a host; leave it out to take every https host" })
    .optional()
    .describe("Hosts a payment link may point to; without it any https host"),
  reuseOpenLinks: z
    .boolean()
    .default(true)
    .describe("Whether the open link of the same collection, amount, currency and payer is used again"),
  account: z
    .string()
    .regex(/^[A-Za-z0-9_.-]{1,64}$/, { error: "must be 1 to 64 letters, digits, '_', '.' or '-'" })
    .optional()
    .describe(
      "Name of the gateway account, the same for all providers that share it; without it the provider's id"
    ),
  allowedOrigins: z
    .array(gatewayOrigin)
    .default([])
    .describe(
      "Origins that secrets given here may be sent to when the gateway address is saved in the admin; without it none"
    ),
  publicUrl: bareAddress
    .optional()
    .describe("The store's public address, for the webhook address and its self-test"),
})

/** What a provider registration in medusa-config may give. */
export const providerOptionsSchema = writtenOptionsSchema.extend({
  auth: z.union([authByFunction, authByType]).default({ type: "none" }),
})

function hasNone(...parts: ("username" | "password" | "search" | "hash")[]): (address: string) => boolean {
  return (address) => parts.every((part) => new URL(address)[part] === "")
}

export type ProviderOptions = z.output<typeof providerOptionsSchema>
