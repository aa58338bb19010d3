import type { CaptureDTO, IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { MedusaError, Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { needsAlignment, isMoreThan, amountsEqual } from "../../decision"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import { inSessionQueue } from "./locks"
import type { Settling } from "./settling"

/** Core's type of this update has only the id. */
interface DatesPayments {
  updatePayment: (payment: { id: string; captured_at: Date | string }) => Promise<unknown>
}

/**
 * Corrects a payment collection's captured and refunded amounts from its captures and refunds, by core's own sum.
 *
 * Core writes a capture or a refund, asks the provider, and only then updates the collection: a process that dies in
 * between leaves the sums wrong. `capturePayment` sums up again, and does nothing else for a captured payment: it makes
 * no capture and does not ask the provider. Delete refunds without a registration first, because core counts each row.
 * Without a captured crypto payment, core has no way to sum up, and nothing to sum.
 */
export async function recomputeCollectionSums(
  container: MedusaContainer,
  collectionId: string | null
): Promise<void> {
  if (collectionId === null) {
    return
  }
  const payments = container.resolve<IPaymentModuleService & DatesPayments>(Modules.PAYMENT)
  const [collection] = await payments.listPaymentCollections(
    { id: [collectionId] },
    { select: ["id", "status"], relations: ["payments", "payments.captures"] }
  )
  // Another provider may capture in several parts, and core would take the payment for captured in full.
  const captured = collection?.payments?.find(
    ({ provider_id, canceled_at, captures }) =>
      provider_id.startsWith(PROVIDER_PREFIX) && !canceled_at && (captures?.length ?? 0) > 0
  )
  if (collection === undefined || captured === undefined) {
    return
  }
  if (!captured.captured_at) {
    // Core died between the capture and this date. Without the date core would try to capture a second time.
    const [{ created_at: captured_at }] = captured.captures as [CaptureDTO]
    await payments.updatePayment({ id: captured.id, captured_at })
  }
  await payments.capturePayment({ payment_id: captured.id })
  if (collection.status === "canceled") {
    // Core's sum marks the collection of a cancelled order as completed.
    await payments.updatePaymentCollections(collectionId, { status: PaymentCollectionStatus.CANCELED })
  }
}

/**
 * Lets the collection of a captured payment ask for the captured amount. When that is too little for the order, another
 * collection asks for the rest.
 *
 * An edit of the order before the capture changes what the collection asks for, and the link may still be paid. A
 * collection that asks for more than was captured takes neither another session nor **Mark as paid**, and core cancels
 * it at the next edit. With one that asks for less, core shows the order as refunded once that much is sent back.
 */
export async function alignCollections({ container, ledger, row }: Omit<Settling, "facts">): Promise<void> {
  const { id, payment_collection_id: collectionId } = row
  if (collectionId === null) {
    return
  }
  await inSessionQueue(container, collectionId, async () => {
    const facts = await ledger.facts.read(id)
    if (needsAlignment(undefined, facts)) {
      await container
        .resolve(Modules.PAYMENT)
        .updatePaymentCollections(collectionId, { amount: facts.collection_captured })
      await recomputeCollectionSums(container, collectionId)
    }
    const { order_id, order_unpaid, rest_is_asked_for } = facts
    if (order_id !== null && order_unpaid !== null && !rest_is_asked_for && isMoreThan(order_unpaid, "0")) {
      await createOrderCollection(container, order_id, order_unpaid)
    }
  })
}

/** Lets core create another collection of an order, as when it is edited. @returns its id */
export async function createOrderCollection(
  container: MedusaContainer,
  order_id: string,
  amount: string
): Promise<string> {
  const input = { order_id, amount: Number(amount) }
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({ input })
  if (result[0] === undefined) {
    throw new MedusaError(MedusaError.Types.UNEXPECTED_STATE, "Medusa made no payment collection. Try again.")
  }
  return result[0].id
}

/**
 * A refused edit of a cart, or change of its region, whose link is paid leaves the collection with the new total and
 * currency. The session still asks for what was paid, so this sets the collection back. The amount of a placed order's
 * collection is left alone, because the order may have been edited; its currency must be the captured payment's.
 */
export async function restoreCollection({ container, row, facts }: Settling): Promise<void> {
  const { payment_collection_id } = row
  const { collection_amount, collection_currency_code, session_amount, session_currency_code } = facts
  if (
    payment_collection_id === null ||
    facts.cart_id === null ||
    collection_amount === null ||
    session_amount === null ||
    session_currency_code === null
  ) {
    return
  }
  const isPlaced = facts.order_id !== null
  const isOtherAmount = !isPlaced && !amountsEqual(collection_amount, session_amount)
  const isOtherCurrency =
    collection_currency_code !== session_currency_code &&
    (!isPlaced || isMoreThan(facts.payment_captured, "0"))
  if (isOtherAmount || isOtherCurrency) {
    await container.resolve(Modules.PAYMENT).updatePaymentCollections(payment_collection_id, {
      amount: session_amount,
      currency_code: session_currency_code,
    })
  }
}
