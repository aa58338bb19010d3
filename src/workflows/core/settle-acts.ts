import type { MedusaContainer } from "@medusajs/framework/types"
import { isBookedWrongly, isCaptureInterrupted, type Act, type Progress } from "../../decision"
import { describeError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/facts"
import type { LeasedRow } from "../../modules/crypto-payments/payment-requests/queue"
import { LeaseLost } from "../../modules/crypto-payments/payment-requests/store"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { adoptPayment } from "./adopt-payment"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureInCore } from "./capture-in-core"
import { CART_WAIT_S, underCartLock, whileLocked } from "./locks"
import { oneCaptureAtATime } from "./one-capture-at-a-time"
import { alignCollections, restoreCollection } from "./payment-collections"
import { renewLink } from "./renew-link"
import { reserveLostStock } from "./reserve-lost-stock"

/** One act of a settle in Medusa. It answers with all that was done so far. */
export type PerformAct = (
  row: CryptoPaymentRequestRow,
  facts: SettlementFacts,
  done: Progress
) => Promise<Progress>

/** What a settle can do in Medusa. None of these throws for what core did not do: the result is read again. What the plugin cannot book itself is a settle that fails. */
export function settleActs(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  lease: LeasedRow
): Record<Act, PerformAct> {
  const logger = container.resolve("logger")
  const attempt = async (
    row: CryptoPaymentRequestRow,
    failure: string,
    work: () => Promise<void>
  ): Promise<void> => {
    try {
      await work()
    } catch (error) {
      logger.warn(`crypto payment ${row.id}: ${failure} (${describeError(error)})`)
    }
  }
  return {
    adopt: async (row, facts, done) => {
      await adoptPayment(container, ledger, row, facts)
      return { ...done, isAdopted: true }
    },
    capture: async (row, facts, done) => {
      let mayTryAgain = false
      await attempt(row, "it was not captured", async () => {
        const capture = async (latest: SettlementFacts): Promise<boolean> =>
          await captureInCore(container, row, latest, lease)
        mayTryAgain = await oneCaptureAtATime(container, row, facts, capture)
      })
      return { ...done, captures: done.captures + 1, isCaptureOver: !mayTryAgain }
    },
    book: async (row, facts, done) => {
      const isFree = await underCartLock(container, row, facts, async (latest) => {
        if (row.cart_id !== null && latest.order_id !== null) {
          await reserveLostStock(container, row.cart_id, latest.order_id)
        }
        if (!latest.order_booked && (isBookedWrongly(latest) || isCaptureInterrupted(row, latest))) {
          await bookCapture(container, ledger, row, latest)
          if (!(await ledger.facts.read(row.id)).order_booked) {
            throw new Error("the capture was booked, and the database does not say so")
          }
        }
      })
      return { ...done, booked: isFree ? "free" : "in_use" }
    },
    verify: async (row, facts, done) => {
      // Whoever was completing the cart when it was read has ended by then.
      const held = await whileLocked(container, facts.cart_id ?? row.id, CART_WAIT_S, async () => {
        await restoreCollection(container, row, facts)
      })
      return { ...done, verified: held === undefined ? "in_use" : "free" }
    },
    expire: async (row, _facts, done) => {
      const isExpiryRefused = !(await cancelUnpaidOrder(container, { ledger, row }))
      return { ...done, isExpired: true, isExpiryRefused }
    },
    renew: async (row, _facts, done) => {
      if (!(await ledger.links.noteRenewal(lease))) {
        throw new LeaseLost()
      }
      await attempt(row, "its link was not replaced", async () => {
        await renewLink(container, row)
      })
      return { ...done, isRenewed: true }
    },
    align: async (row, _facts, done) => {
      await attempt(row, "its payment collection was not brought in line", async () => {
        await alignCollections(container, row)
      })
      return { ...done, isAligned: true }
    },
  }
}
