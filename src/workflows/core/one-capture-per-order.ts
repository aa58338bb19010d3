import { isMoreThan, type ActEnd, type DecidedFacts } from "../../decision"
import { CART_WAIT_S, whileLocked } from "./cart-lock"
import type { Settling } from "./settling"

/**
 * Captures while no other link of the same order or cart is captured. A cart can have two live links, and an order's
 * further collections have no cart that core could lock. Without this, two links for one amount that are paid at the
 * same moment are both captured, each is the duplicate of the other, and core adds up the order's payments wrongly.
 * That one link is captured once is ensured by its lease and by the facts that are read under it.
 *
 * After the wait the facts are read again. When another link has paid the order meanwhile, nothing is captured, and the
 * settle decides anew. When core hangs, the lock is given up: both may be captured then, and both become cases.
 *
 * @returns `blocked` when the lock is not free in time
 */
export async function oneCapturePerOrder(
  { container, ledger, row, facts }: Omit<Settling, "lease">,
  capture: (latest: DecidedFacts) => Promise<ActEnd>
): Promise<ActEnd> {
  const paidFor = ({ order_id, cart_id }: DecidedFacts): string => order_id ?? cart_id ?? row.id
  const held = await whileLocked(container, `crypto:capture:${paidFor(facts)}`, CART_WAIT_S, async () => {
    const latest = await ledger.facts.read(row.id)
    if (paidFor(latest) !== paidFor(facts)) {
      // The order was placed meanwhile: other links of it wait for its own lock.
      return "again"
    }
    // An existing capture is only completed.
    const isCaptured = isMoreThan(latest.payment_captured, "0")
    const isWanted = isCaptured || (!latest.paid_by_another && !latest.order_canceled)
    return isWanted ? await capture(latest) : "again"
  })
  return held?.result ?? "blocked"
}
