import type { MedusaContainer } from "@medusajs/framework/types"
import { CRYPTO_PAYMENTS_MODULE } from "../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../modules/crypto-payments/service"
import { runAuditInBackground } from "../workflows/run-audit-in-background"

/** After the gateway's list was compared. */
const AT_NIGHT_HOUR = 3

/**
 * Every night each payment has to be explained. A night that was missed is made up for within an hour, and so long after
 * an upgrade the payments are audited as well.
 */
export default async function auditPayments(container: MedusaContainer): Promise<void> {
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  if (new Date().getHours() === AT_NIGHT_HOUR || (await ledger.audits.isDue())) {
    await runAuditInBackground(container)
  }
}

export const config = {
  name: "audit-crypto-payments",
  schedule: "47 * * * *",
}
