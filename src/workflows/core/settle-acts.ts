import type { Logger, MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"
import { isBookedWrongly, type Act } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import type { PerformAct } from "../settle"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureInCore } from "./capture-in-core"
import { dropSurplusBookings } from "./drop-surplus-bookings"
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
    unbook: async (row, facts, done) => {
      try {
        await unbookUnderCartLock(container, ledger, row, facts)
      } catch (error) {
        container
          .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
          .warn(`crypto payment ${row.id}: what was booked twice was not removed (${describeError(error)})`)
      }
      return { ...done, isUnbooked: true }
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

async function bookUnderCartLock(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
  await underCartLock(container, ledger, row, facts, async (latest) => {
    if (!latest.order_booked) {
      await bookCapture(container, ledger, row, latest)
    }
  })
}

async function unbookUnderCartLock(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
  await underCartLock(container, ledger, row, facts, async (latest) => {
    const { order_id, payment_id } = latest
    if (order_id === null || payment_id === null || !isBookedWrongly(latest)) {
      return
    }
    const { removed, added } = await dropSurplusBookings(container, order_id, payment_id)
    container
      .resolve<Logger>(ContainerRegistrationKeys.LOGGER)
      .warn(
        `crypto payment ${row.id}: order ${order_id} had another sum booked than was captured, ` +
          `${String(removed)} bookings were removed and ${String(added)} added`
      )
  })
}

/** Core completes a cart under the same lock, so neither books beside the other, whatever their clocks say. */
async function underCartLock(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  work: (latest: SettlementFacts) => Promise<void>
): Promise<void> {
  if (row.cart_id === null) {
    await work(facts)
    return
  }
  await whileLocked(container, row.cart_id, CART_WAIT_S, async () => {
    await work(await ledger.readSettlementFacts(row.id))
  })
}
