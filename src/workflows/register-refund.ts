import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, PaymentSessionStatus, type MedusaError } from "@medusajs/framework/utils"
import { isMoreThan, type DecidedFacts } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import {
  beingSettledError,
  notAllowed,
  providerMissingError,
  unexpectedState,
} from "../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../modules/crypto-payments/models/crypto-payment-request"
import type { CryptoPaymentRefundRow } from "../modules/crypto-payments/models/crypto-payment-refund"
import { digestReference } from "../modules/crypto-payments/refunds/reference"
import type { RefundRegistration } from "../modules/crypto-payments/refunds/refund-store"
import { TookTooLong, waitAtMost } from "../modules/crypto-payments/waiting"
import { bookRefund, isReason } from "./core/book-refund"
import { CART_LOCK_S, whileLocked } from "./core/cart-lock"
import { holdPayment } from "./core/hold-payment"
import { refuseBesideOpenChange, refusedBeside } from "./core/open-order-changes"
import type { Settling } from "./core/settling"
import { recomputeCollectionSums } from "./core/collection-sums"

/** A booked refund, and whether an earlier call had finished the booking. */
export interface AppliedRefund {
  refund: CryptoPaymentRefundRow
  alreadyRegistered: boolean
}

/** How long a refund waits for another one of its order, in seconds. */
const ORDER_WAIT_S = 10
/** With the waits for both locks this stays within the time of a settle. */
const APPLY_MS = 70_000

/**
 * Registers a refund that was made in the gateway's dashboard and books it in Medusa: on the order's payment, or on a
 * captured payment without an order; without a payment in Medusa, it is only registered. A second call with the same
 * reference and amount finishes what a crash interrupted, and never refunds twice.
 *
 * @throws MedusaError, among others when the payment is being settled, when its order has an open change
 *   (`refuseBesideOpenChange`), while the store is paused, and what `RefundStore.register` refuses
 */
export async function registerRefund(
  container: MedusaContainer,
  input: RefundRegistration
): Promise<AppliedRefund> {
  const ledger = resolveLedger(container)
  try {
    return await holdPayment(container, input.request_id, async (row) => {
      const refunding = { container, ledger, row }
      const apply = async (): Promise<AppliedRefund> =>
        await oneRefundPerOrder(
          refunding,
          async () => await waitAtMost(APPLY_MS, registerAndApply(refunding, input))
        )
      if (row.cart_id === null) {
        return await apply()
      }
      // Core's completion of the cart takes the same lock, so no order is placed while its refund is being registered.
      const held = await whileLocked(container, row.cart_id, CART_LOCK_S, apply)
      if (held === undefined) {
        throw beingSettledError()
      }
      return held.result
    })
  } catch (error) {
    throw error instanceof TookTooLong ? unfinished() : error
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
  if (isCaptureUnbooked(row, facts)) {
    throw beingSettledError()
  }
  if (facts.provider_missing && isMoreThan(facts.payment_captured, "0")) {
    // Core asks the provider for each refund, and would stop half-way. Without a payment, it needs no provider.
    throw providerMissingError(row.provider_id)
  }
  // Core would book an interrupted refund together with the new one, and with the new one's amount.
  const digest = digestReference(input.reference)
  const known = await ledger.refunds.list(input.request_id)
  for (const other of known) {
    if (other.state === "registered" && other.reference_digest !== digest) {
      await applyRegistered(refunding, other)
    }
  }
  const isKnown = known.some(({ reference_digest }) => reference_digest === digest)
  if (!isKnown && !(await isReason(input.refund_reason_id))) {
    throw notAllowed("Medusa has no such refund reason. Choose another one.", "unknown_refund_reason")
  }
  if (!isKnown && order_id !== null && !order_canceled) {
    // What core would refuse is not even recorded.
    await refuseBesideOpenChange(container, order_id)
  }
  const refund = await ledger.refunds.register(input)
  return refund.state === "applied"
    ? { refund, alreadyRegistered: true }
    : { refund: await applyRegistered(refunding, refund), alreadyRegistered: false }
}

async function applyRegistered(
  refunding: Refunding,
  refund: CryptoPaymentRefundRow
): Promise<CryptoPaymentRefundRow> {
  const { container, ledger, row } = refunding
  // Read after registering: from then on nothing new is captured with this money.
  const facts = await ledger.facts.read(row.id)
  if (facts.payment_id !== null && isMoreThan(facts.payment_captured, "0")) {
    if (facts.order_id === null && row.cart_id !== null) {
      await endSession(container, row)
    }
    try {
      await bookRefund(container, refund, { ...facts, payment_id: facts.payment_id })
    } catch (error) {
      // A change that was begun after it was looked for, of which core's own words say neither the kind nor the way
      // out.
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
 * Core places a cart's order on an authorized session without asking the provider again. So after a refund, even a
 * partial one, the session is none that core completes a cart with. The cart's lock is held.
 */
async function endSession(container: MedusaContainer, row: CryptoPaymentRequestRow): Promise<void> {
  const payments = container.resolve(Modules.PAYMENT)
  const [session] = await payments.listPaymentSessions({ id: row.paid_session_id ?? "" })
  if (session !== undefined) {
    const { id, data, amount, currency_code } = session
    const ended = { id, data, amount, currency_code, status: PaymentSessionStatus.CANCELED }
    await payments.updatePaymentSession(ended)
  }
}

/**
 * Core has captured the payment and has not booked it on the order: a settle does that within minutes. A refund that is
 * booked first would leave the order without its payment, because nothing follows a full refund. A case is the
 * merchant's to end.
 */
function isCaptureUnbooked(
  { settled_at, attention_reason }: CryptoPaymentRequestRow,
  { order_id, order_canceled, order_booked, payment_captured }: DecidedFacts
): boolean {
  const isUnbooked =
    order_id !== null && !order_canceled && !order_booked && isMoreThan(payment_captured, "0")
  return isUnbooked && settled_at === null && [null, "paid_without_order"].includes(attention_reason)
}

function unfinished(): MedusaError {
  return unexpectedState(
    "The refund is registered, but Medusa did not book it. Register it again with the same reference.",
    "refund_unfinished"
  )
}
