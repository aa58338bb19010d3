import type { Logger } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import { describeError } from "../../modules/crypto-payments/errors"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { whileLocked } from "../while-locked"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureInCore } from "./capture-in-core"
import { settleLeased, type SettleTrigger } from "./settle-leased"

/** Which payment request to settle, and who asks. An id the ledger does not have is a MedusaError (404). */
export interface SettleRequestInput {
  /** The ledger row's id (`cpreq_…`). */
  id: string
  /** Who asks: `admin` and `provider` at once, the others only if the row is due. It never decides what becomes paid. */
  trigger: SettleTrigger
}

/** The others have made the row due, or found it so, and may come when it has been settled. */
const NOW_TRIGGERS: readonly SettleTrigger[] = ["admin", "provider"]
/** A run that is asked again while it runs looks again, so many times; after that the next tick does. */
const MAX_RUNS = 3
const CART_WAIT_S = 20

/**
 * Settles one payment request: one gateway read, one decision, applied. At most one run per request at a time, across
 * instances; what was asked for while one ran makes it look again.
 *
 * There is no compensation: money that was received is not taken back by a failing workflow.
 *
 * @example
 * settleRequestStep({ id: "cpreq_123", trigger: "admin" })
 */
export const settleRequestStep = createStep(
  { name: "settle-request", noCompensation: true },
  async ({ id, trigger }: SettleRequestInput, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    await ledger.settlements.require(id)
    for (let run = 0; run < MAX_RUNS; run++) {
      const row = NOW_TRIGGERS.includes(trigger)
        ? await ledger.settlements.lease(id)
        : await ledger.settlements.leaseDue(id)
      if (row === undefined) {
        break
      }
      const { isDueAgain } = await settleLeased({
        ledger,
        row,
        trigger,
        capture: async (checked, facts) => await captureInCore(container, checked, facts),
        cancelOrder: async (checked, unpaidOrderTtlMs) => {
          await cancelUnpaidOrder(container, { ledger, row: checked, unpaidOrderTtlMs })
        },
        book: async (checked, facts) => {
          try {
            await bookCapture(container, checked, facts)
          } catch (error) {
            container
              .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
              .warn(`crypto payment ${checked.id}: its capture was not booked (${describeError(error)})`)
          }
        },
        whileCartIsFree: async (cartId, work) => await whileLocked(container, cartId, CART_WAIT_S, work),
      })
      if (!isDueAgain) {
        break
      }
    }
    return new StepResponse({ id })
  }
)
