import { z } from "@medusajs/framework/zod"
import { isLoopback, type GatewayAuth } from "../../../gateway"

/** Empty strings count as "not given": an unset environment variable must not stop the boot. */
const optionalSecret = z
  .string()
  .optional()
  .transform((value) => (value === "" ? undefined : value))

const webAddress = z.url({ protocol: /^https?$/, error: "must be an absolute http or https address" })

const gatewayAddress = webAddress.refine(
  (address) => {
    if (!URL.canParse(address)) {
      return true // webAddress has said so already; refinements run all the same.
    }
    const { protocol, hostname, username, password, search, hash } = new URL(address)
    const isSafe = protocol === "https:" || isLoopback(hostname)
    // Written here, a password would be stored and shown in the open, as the address is.
    return isSafe && username === "" && password === "" && search === "" && hash === ""
  },
  { error: "must be https (http only on loopback), without credentials, query or fragment" }
)

const gatewayOrigin = gatewayAddress
  .refine((address) => !URL.canParse(address) || new URL(address).pathname === "/", {
    error: "must be an origin: scheme, host and port, without a path",
  })
  .transform((address) => (URL.canParse(address) ? new URL(address).origin : address))

const authByType = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("bearer"), token: optionalSecret }),
  z.strictObject({ type: z.literal("basic"), username: optionalSecret, password: optionalSecret }),
  z.strictObject({ type: z.literal("headers"), headers: z.record(z.string(), optionalSecret) }),
  z.strictObject({
    type: z.literal("signature"),
    apiKey: optionalSecret,
    secretKey: optionalSecret,
    headerNames: z
      .strictObject({
        apiKey: z.string().optional(),
        timestamp: z.string().optional(),
        signature: z.string().optional(),
      })
      .optional(),
  }),
])

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
    .union([optionalSecret, z.array(z.string().min(1)).min(1)])
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
    .describe("With before_payment: cancel unpaid orders after this many minutes"),
  timeoutMs: z
    .int()
    .min(500)
    .max(25_000)
    .default(8000)
    .describe("Deadline of one gateway call in milliseconds, below core's 30 s cart lock"),
  paymentLinkHosts: z
    .array(z.string().min(1))
    .optional()
    .describe("Hosts a payment link may point to; without it any https host"),
  reuseOpenLinks: z
    .boolean()
    .default(true)
    .describe("Whether the open link of the same collection, amount, currency and payer is used again"),
  allowedOrigins: z
    .array(gatewayOrigin)
    .default([])
    .describe(
      "Origins that secrets given here may be sent to when the gateway address is saved in the admin; without it none"
    ),
  publicUrl: webAddress.optional().describe("The store's public origin, for the webhook doctor"),
})

/** What a provider registration in medusa-config may give. */
export const providerOptionsSchema = writtenOptionsSchema.extend({
  auth: z.union([authByFunction, authByType]).default({ type: "none" }),
})

export type ProviderOptions = z.output<typeof providerOptionsSchema>
