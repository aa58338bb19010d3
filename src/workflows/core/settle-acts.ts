import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import type { Act } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import type { PerformAct } from "../settle"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureInCore } from "./capture-in-core"
import { whileLocked } from "./while-locked"

const CART_WAIT_S = 20

/** What a settle can do in Medusa. None of these throws for what core did not do: what came of it is read again. */
export function settleActs(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService
): Record<Act, PerformAct> {
  return {
    capture: async (row, facts, done) => ({
      ...done,
      captures: done.captures + 1,
      isCaptureOver: !(await captureInCore(container, row, facts)),
    }),
    book: async (row, facts, done) => {
      try {
        await bookUnderCartLock(container, ledger, row, facts)
      } catch (error) {
        container
          .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
          .warn(`crypto payment ${row.id}: its capture was not booked (${describeError(error)})`)
      }
      return { ...done, isBooked: true }
    },
    verify: async (row, facts, done) => {
      // Nothing to do but wait: whoever completed the cart when it was read has ended by then.
      const turn = await whileLocked(container, facts.cart_id ?? row.id, CART_WAIT_S, async () => {
        await Promise.resolve()
      })
      return { ...done, verified: turn === undefined ? "in_use" : "free" }
    },
    expire: async (row, _facts, done) => {
      await cancelUnpaidOrder(container, { ledger, row })
      return { ...done, isExpired: true }
    },
  }
}

/** Core completes a cart under the same lock, so neither books beside the other, whatever their clocks say. */
async function bookUnderCartLock(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
  if (row.cart_id === null) {
    await bookCapture(container, row, facts)
    return
  }
  await whileLocked(container, row.cart_id, CART_WAIT_S, async () => {
    const latest = await ledger.readSettlementFacts(row.id)
    if (!latest.order_booked) {
      await bookCapture(container, row, latest)
    }
  })
}
