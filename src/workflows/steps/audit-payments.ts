import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

export interface AuditPaymentsInput {
  /** Names of rules. Without it all are looked for, and the report is kept. */
  rules?: string[] | undefined
}

export const auditPaymentsStep = createStep(
  "audit-payments",
  async ({ rules }: AuditPaymentsInput, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    return new StepResponse(await ledger.audits.run(rules))
  }
)
