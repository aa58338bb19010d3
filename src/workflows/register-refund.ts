import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { isBookedWrongly, isCaptureInterrupted, isMoreThan } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import {
  beingSettledError,
  notAllowed,
  providerMissingError,
  unexpectedState,
} from "../modules/crypto-payments/errors"
import type { CryptoPaymentRefundRow } from "../modules/crypto-payments/models/crypto-payment-refund"
import { digestReference } from "../modules/crypto-payments/refunds/reference"
import type { RefundRegistration } from "../modules/crypto-payments/refunds/refund-store"
import { refuseWhilePaused } from "../modules/crypto-payments/paused"
import { HELD_WAIT_MS, TookTooLong, untilTaken, waitAtMost } from "../modules/crypto-payments/waiting"
import { bookCapture } from "./core/book-capture"
import { bookRefund } from "./core/book-refund"
import { linkCart, listLinked } from "./core/finish-order-links"
import { CART_LOCK_S, whileLocked } from "./core/cart-lock"
import { dropInterruptedCredit, isTransfer } from "./core/open-order-changes"
import type { Settling } from "./core/settling"
import { recomputeCollectionSums } from "./core/stored-sums"

/** A booked refund, and whether an earlier call had finished the booking. */
export interface AppliedRefund {
  refund: CryptoPaymentRefundRow
  alreadyRegistered: boolean
}

/** How long a refund waits for another one of its order, in seconds. */
const ORDER_WAIT_S = 10
/** With the waits for both locks this stays within the lease. */
const APPLY_MS = 70_000

/**
 * Registers a refund that was made in the gateway's dashboard and books it in Medusa: on the order's payment, or on a
 * captured payment without an order; without a payment in Medusa, it is only registered. A second call with the same
 * reference and amount finishes what a crash interrupted, and never refunds twice.
 *
 * @throws MedusaError, among others when the payment is being settled, when its order has an open change
 *   (`REFUSED_CHANGES`), while the store is paused, and what `RefundStore.register` refuses
 */
export async function registerRefund(
  container: MedusaContainer,
  input: RefundRegistration
): Promise<AppliedRefund> {
  refuseWhilePaused()
  const ledger = resolveLedger(container)
  await ledger.requests.require(input.request_id)
  const row = await untilTaken(async () => await ledger.leases.lease(input.request_id, 0), HELD_WAIT_MS)
  if (row === undefined) {
    throw beingSettledError()
  }
  try {
    const refunding = { container, ledger, row }
    const apply = async (): Promise<AppliedRefund> =>
      await oneRefundPerOrder(
        refunding,
        async () => await waitAtMost(APPLY_MS, registerAndApply(refunding, input))
      )
    // Core's completion of the cart takes the same lock, so no order is placed while its refund is being registered.
    const held =
      row.cart_id === null
        ? { result: await apply() }
        : await whileLocked(container, row.cart_id, CART_LOCK_S, apply)
    if (held === undefined) {
      throw beingSettledError()
    }
    return held.result
  } catch (error) {
    throw error instanceof TookTooLong ? unfinished() : error
  } finally {
    await ledger.leases.release(row)
  }
}

type Refunding = Pick<Settling, "container" | "ledger" | "row">

/**
 * Registers while no refund of another payment of the order is registered: Medusa books each as a change of the order,
 * and lets an order have one at a time.
 */
async function oneRefundPerOrder<T>(
  { container, ledger, row }: Refunding,
  work: () => Promise<T>
): Promise<T> {
  const { order_id } = await ledger.facts.read(row.id)
  if (order_id === null) {
    return await work()
  }
  const held = await whileLocked(container, `crypto:refund:${order_id}`, ORDER_WAIT_S, work)
  if (held === undefined) {
    throw refusedBeside("credit_line")
  }
  return held.result
}

async function registerAndApply(refunding: Refunding, input: RefundRegistration): Promise<AppliedRefund> {
  const { container, ledger, row } = refunding
  const facts = await ledger.facts.read(input.request_id)
  const { order_id, order_canceled } = facts
  if (facts.provider_missing && isMoreThan(facts.payment_captured, "0")) {
    // Core asks the provider for each refund, and would stop half-way. Without a payment, it needs no provider.
    throw providerMissingError(row.provider_id)
  }
  if (order_id !== null && !order_canceled) {
    await refuseBesideOpenChange(container, order_id)
  }
  // Core would book an interrupted refund together with the new one, and with the new one's amount.
  const digest = digestReference(input.reference)
  for (const other of await ledger.refunds.list(input.request_id)) {
    if (other.state === "registered" && other.reference_digest !== digest) {
      await applyRegistered(refunding, other)
    }
  }
  const refund = await ledger.refunds.register(input)
  return refund.state === "applied"
    ? { refund, alreadyRegistered: true }
    : { refund: await applyRegistered(refunding, refund), alreadyRegistered: false }
}

const BEGUN = (what: string): string =>
  `${what} of this order was begun. Confirm or cancel it, then register the refund.`

/** For merchants, by type of the open change: a code, what it is, and what to do. */
const REFUSED_CHANGES: Readonly<Record<string, [code: string, message: string]>> = {
  edit: ["order_edited", "The order is being edited. Confirm or cancel the edit, then register the refund."],
  return_request: ["order_in_return", BEGUN("A return")],
  return_receive: [
    "order_in_return",
    "Returned items of this order are being received. Confirm or cancel that, then register the refund.",
  ],
  exchange: ["order_in_exchange", BEGUN("An exchange")],
  claim: ["order_in_claim", BEGUN("A claim")],
  credit_line: [
    "order_in_booking",
    "Medusa is booking a refund or a cancellation of this order. Register the refund again in a minute.",
  ],
}

const OTHER = [
  "order_in_change",
  "The order has a change that is not finished. Confirm or cancel it, then register the refund.",
] as const

/**
 * Refuses (400) while the order has an open change during which core would not book a refund. A transfer request does
 * not count: it is set aside meanwhile.
 */
async function refuseBesideOpenChange(container: MedusaContainer, orderId: string): Promise<void> {
  const open = await dropInterruptedCredit(container, orderId)
  const change = open.find((each) => !isTransfer(each))
  if (change !== undefined) {
    throw refusedBeside(change.change_type ?? "edit")
  }
}

function refusedBeside(changeType: string): MedusaError {
  const [code, message] = REFUSED_CHANGES[changeType] ?? OTHER
  return notAllowed(message, code)
}

async function applyRegistered(
  refunding: Refunding,
  refund: CryptoPaymentRefundRow
): Promise<CryptoPaymentRefundRow> {
  const { container, ledger, row } = refunding
  await linkOrderOfCollection(refunding)
  // Read after registering: from then on nothing new is captured with this money.
  const facts = await ledger.facts.read(row.id)
  if (facts.payment_id !== null && isMoreThan(facts.payment_captured, "0")) {
    await bookInterruptedCapture({ ...refunding, facts })
    try {
      await bookRefund(container, refund, { ...facts, payment_id: facts.payment_id })
    } catch (error) {
      // A change that was begun after it was looked for, of which core's own words say neither the kind nor the way out.
      if (facts.order_id !== null && !facts.order_canceled) {
        await refuseBesideOpenChange(container, facts.order_id)
      }
      throw error
    }
    if ((await ledger.refunds.ageInMedusaMs(await ledger.refunds.find(refund))) === null) {
      throw unfinished()
    }
    await recomputeCollectionSums(container, row.payment_collection_id)
  }
  return await ledger.refunds.markApplied(refund)
}

/**
 * Core may have died after it linked the order to its payment collection and before it linked the cart. Nothing is
 * placed with money that is being refunded, so that order has to show the payment and the refund.
 */
async function linkOrderOfCollection({ container, ledger, row }: Refunding): Promise<void> {
  const { cart_id, payment_collection_id } = row
  const { order_id } = await ledger.facts.read(row.id)
  if (order_id !== null || cart_id === null || payment_collection_id === null) {
    return
  }
  const of = { payment_collection_id }
  const [orderId] = await listLinked(container, "order_payment_collection", "order_id", of)
  if (orderId !== undefined) {
    await linkCart(container, cart_id, orderId)
  }
}

/**
 * If core was killed before it booked the capture on the order, a refund would be booked without its payment, and after
 * a full refund nobody checks the request again. The cart's lock is held, so core is not booking now. For an order's
 * own payment, only its age shows that.
 */
async function bookInterruptedCapture(refunding: Omit<Settling, "lease">): Promise<void> {
  const { row, facts } = refunding
  if (facts.order_id === null || facts.order_booked) {
    return
  }
  if (row.cart_id === null && !isBookedWrongly(facts) && !isCaptureInterrupted(row, facts)) {
    throw beingSettledError()
  }
  await bookCapture(refunding)
}

function unfinished(): MedusaError {
  return unexpectedState(
    "The refund is registered, but Medusa did not book it. Register it again with the same reference.",
    "refund_unfinished"
  )
}
