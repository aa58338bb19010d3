import { isBookedWrongly, isCaptureInterrupted, type Act, type ActEnd, type Progress } from "../../decision"
import { adoptPayment } from "./adopt-payment"
import { bookCapture } from "./book-capture"
import { cancelUnpaidOrder } from "./cancel-unpaid-order"
import { captureAndPlaceOrder } from "./capture-and-place-order"
import { CART_WAIT_S, underCartLock, whileLocked } from "./cart-lock"
import { restoreCurrency } from "./payment-collections"
import { warn, type Settling } from "./settling"

/** One act of a settle in Medusa. @param done what the settle has done before */
export type PerformAct = (settling: Settling, done: Progress) => Promise<ActEnd>

/**
 * What a settle can do in Medusa. None of these throws for what core did not do: the result is read again. What the
 * plugin cannot do itself is a settle that fails.
 */
export const SETTLE_ACTS: Record<Act, PerformAct> = {
  adopt: async (settling) => {
    try {
      await adoptPayment(settling)
    } catch (error) {
      const { container, row } = settling
      warn(container, `crypto payment ${row.id}: its money could not get a payment session`, error)
    }
    return "done"
  },
  capture: async (settling, done) => {
    const end = await captureAndPlaceOrder(settling)
    // Core skips a cart that another completion has begun and then undoes: a second attempt finds it free.
    return end === "again" && done.capture !== undefined ? "done" : end
  },
  book: async (settling) => {
    const { ledger, row } = settling
    await underCartLock(settling, async (latest) => {
      if (!latest.order_booked && (isBookedWrongly(latest) || isCaptureInterrupted(row, latest))) {
        await bookCapture({ ...settling, facts: latest })
        if (!(await ledger.facts.read(row.id)).order_booked) {
          throw new Error("the capture was booked, and the database does not say so")
        }
      }
    })
    return "done"
  },
  verify: async (settling) => {
    const { container, row, facts } = settling
    // Whoever was completing the cart when it was read has ended by then.
    const held = await whileLocked(container, facts.cart_id ?? row.id, CART_WAIT_S, async () => {
      await restoreCurrency(settling)
    })
    return held === undefined ? "blocked" : "done"
  },
  expire: async (settling) => ((await cancelUnpaidOrder(settling)) ? "done" : "blocked"),
}
