import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

/** Closes the open case of a payment request with a note on what was done; nothing else changes. */
export const resolveAttentionStep = createStep(
  { name: "resolve-attention", noCompensation: true },
  async ({ id, note }: { id: string; note: string }, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    return new StepResponse({ wasOpen: await ledger.requests.resolveCase(id, note) })
  }
)
