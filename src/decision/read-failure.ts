/**
 * Why nobody was asked.
 *
 * - `provider_missing`: medusa-config does not register the provider
 * - `former_address`: the request was made at an address that the provider does not use any more
 */
export const NOT_ASKED = ["provider_missing", "former_address"] as const

export type NotAsked = (typeof NOT_ASKED)[number]

/**
 * How a read of the gateway failed. Each kind has its own time limit, which begins anew when the kind changes.
 *
 * - `refused`: the gateway itself refuses, or an address that need not be the gateway's answers 401, 404 or 410
 * - `unreadable`: no answer, an answer against the interface, or possibly an answer of a proxy or firewall
 * - `unknown_to_gateway`: the gateway itself answers that it has no such payment request
 */
export const READ_FAILURES = ["refused", "unreadable", "unknown_to_gateway", ...NOT_ASKED] as const

export type ReadFailure = (typeof READ_FAILURES)[number]
