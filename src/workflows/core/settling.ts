import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { DecidedFacts } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { LeasedRow } from "../../modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"

/** A payment request that is being settled, and what Medusa had for it when it was last read. */
export interface Settling {
  container: MedusaContainer
  ledger: CryptoPaymentsModuleService
  lease: LeasedRow
  row: CryptoPaymentRequestRow
  facts: DecidedFacts
}

/** Warns in the store's log. Of an error, only its kind is logged. */
export function warn(container: MedusaContainer, line: string, ...errors: unknown[]): void {
  const kinds = errors.map((error) => ` (${describeError(error)})`)
  container.resolve(ContainerRegistrationKeys.LOGGER).warn(`${line}${kinds.join("")}`)
}
