import { isBookedWrongly, isCaptureInterrupted, type Act, type Progress } from "../../decision"
import { LeaseLost } from "../../modules/crypto-payments/payment-requests/store"
import { adoptPayment } from "./adopt-payment"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureInCore } from "./capture-in-core"
import { CART_WAIT_S, oneCaptureAtATime, underCartLock, whileLocked } from "./locks"
import { alignCollections, restoreCollection } from "./payment-collections"
import { renewLink } from "./renew-link"
import { reserveLostStock } from "./reserve-lost-stock"
import { warn, type Settling } from "./settling"

/** One act of a settle in Medusa. It answers with all that was done so far. */
export type PerformAct = (settling: Settling, done: Progress) => Promise<Progress>

/**
 * What a settle can do in Medusa. None of these throws for what core did not do: the result is read again. What the
 * plugin cannot book itself is a settle that fails.
 */
export const SETTLE_ACTS: Record<Act, PerformAct> = {
  adopt: async (settling, done) => {
    await adoptPayment(settling)
    return { ...done, isAdopted: true }
  },
  capture: async (settling, done) => {
    let mayTryAgain = false
    await attempt(settling, "it was not captured", async () => {
      mayTryAgain = await oneCaptureAtATime(
        settling,
        async (facts) => await captureInCore({ ...settling, facts })
      )
    })
    return { ...done, captures: done.captures + 1, isCaptureOver: !mayTryAgain }
  },
  book: async (settling, done) => {
    const { container, ledger, row } = settling
    const isFree = await underCartLock(settling, async (latest) => {
      if (row.cart_id !== null && latest.order_id !== null) {
        await reserveLostStock(container, row.cart_id, latest.order_id)
      }
      if (!latest.order_booked && (isBookedWrongly(latest) || isCaptureInterrupted(row, latest))) {
        await bookCapture({ ...settling, facts: latest })
        if (!(await ledger.facts.read(row.id)).order_booked) {
          throw new Error("the capture was booked, and the database does not say so")
        }
      }
    })
    return { ...done, booked: isFree ? "free" : "in_use" }
  },
  verify: async (settling, done) => {
    const { container, row, facts } = settling
    // Whoever was completing the cart when it was read has ended by then.
    const held = await whileLocked(container, facts.cart_id ?? row.id, CART_WAIT_S, async () => {
      await restoreCollection(settling)
    })
    return { ...done, verified: held === undefined ? "in_use" : "free" }
  },
  expire: async (settling, done) => {
    return { ...done, isExpired: true, isExpiryRefused: !(await cancelUnpaidOrder(settling)) }
  },
  renew: async (settling, done) => {
    if (!(await settling.ledger.links.noteRenewal(settling.lease))) {
      throw new LeaseLost()
    }
    await attempt(settling, "its link was not replaced", async () => {
      await renewLink(settling)
    })
    return { ...done, isRenewed: true }
  },
  align: async (settling, done) => {
    await attempt(settling, "its payment collection was not brought in line", async () => {
      await alignCollections(settling)
    })
    return { ...done, isAligned: true }
  },
}

async function attempt(
  { container, row }: Settling,
  failure: string,
  work: () => Promise<void>
): Promise<void> {
  try {
    await work()
  } catch (error) {
    warn(container, `crypto payment ${row.id}: ${failure}`, error)
  }
}
