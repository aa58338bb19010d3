import type { DecisionInput, GatewayReading, MedusaFacts } from "./decide"

export const NOW = new Date("2026-01-10T12:00:00Z")
export const hoursAgo = (hours: number): Date => new Date(NOW.getTime() - hours * 60 * 60 * 1000)

export const liveSession: MedusaFacts = {
  session: { amount: "20.01", currencyCode: "usd" },
  payment: null,
  order: null,
  registeredRefund: "0",
  orderDeleted: false,
  hasCart: true,
  isDeposit: false,
  paidByAnother: false,
  paidAgain: false,
  providerMissing: false,
  isAdoptable: false,
  isCollectionDeleted: false,
}
export const captured = { captured: true, refundedInFull: false, coversCollection: true }
export const placedOrder = {
  canceled: false,
  booked: true,
  unpaidDifference: "0",
  linkAmount: "20.01",
  expiresAt: null,
}

export function read(status: "PAID" | "UNPAID" | "PENDING" | "UNKNOWN", changes = {}): GatewayReading {
  return { outcome: "read", status, amount: "20.01000000000000", currencySymbol: "USD", ...changes }
}

export function input(
  reading: GatewayReading,
  medusa: Partial<MedusaFacts> = {},
  ledger: Partial<DecisionInput["ledger"]> = {}
): DecisionInput {
  return {
    reading,
    ledger: {
      amount: "20.01",
      currencyCode: "usd",
      paidAt: null,
      watchUntil: hoursAgo(-24),
      isOffered: true,
      isSettled: false,
      attention: null,
      isLinkAsked: false,
      isOfOrder: false,
      isReportedPaid: false,
      ...ledger,
    },
    medusa: { ...liveSession, ...medusa },
    now: NOW,
  }
}
