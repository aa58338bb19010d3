/**
 * Why nobody was asked.
 *
 * - `provider_missing`: medusa-config does not register the provider
 * - `former_address`: the request was made at a former gateway address of the provider, and nobody has said yet whether
 *   the present one is of the same account
 * - `other_account`: it was, and the present one is of another account
 */
export const NOT_ASKED = ["provider_missing", "former_address", "other_account"] as const

export type NotAsked = (typeof NOT_ASKED)[number]

/**
 * How a read of the gateway failed. Each kind has its own patience, which begins anew when the kind changes.
 *
 * - `refused`: the gateway itself refuses, or an address that need not be the gateway's answers 401, 404 or 410
 * - `unreadable`: it does not answer, its answer does not follow the interface, or a proxy or firewall may have answered
 * - `unknown_to_gateway`: the gateway itself answers that it has no such payment request
 * - all others: nobody was asked
 */
export const READ_FAILURES = ["refused", "unreadable", "unknown_to_gateway", ...NOT_ASKED] as const

export type ReadFailure = (typeof READ_FAILURES)[number]
