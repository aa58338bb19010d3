/**
 * How a read of the gateway failed. Each kind has its own patience, which begins anew when the kind changes.
 *
 * - `refused`: the gateway answers 4xx, or an address that need not be the gateway's answers 404
 * - `unreadable`: it does not answer, its answer does not follow the interface, or a proxy or firewall answers for it
 * - `unknown_to_gateway`: the gateway itself answers that it has no such payment request
 * - `provider_missing`: nobody was asked, because medusa-config does not register the provider
 */
export const READ_FAILURES = ["refused", "unreadable", "unknown_to_gateway", "provider_missing"] as const

export type ReadFailure = (typeof READ_FAILURES)[number]
