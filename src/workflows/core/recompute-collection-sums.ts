import type { CaptureDTO, IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"

/** Core's own update of a payment, whose type has only the id. */
interface DatesPayments {
  updatePayment: (payment: { id: string; captured_at: Date | string }) => Promise<unknown>
}

/**
 * Corrects a payment collection's captured and refunded amounts from its captures and refunds, by core's own sum.
 *
 * Core writes a capture or a refund, asks the provider, and only then updates the collection: a process that dies in
 * between leaves the sums wrong. Core sums up again at the end of `capturePayment`, which does nothing else for a
 * payment that is captured: it makes no capture and does not ask the provider.
 *
 * Refunds without a registration have to be deleted before, because core's sum counts each row.
 *
 * @returns false when the collection has no captured crypto payment: then core has no way to sum up, and nothing to sum
 */
export async function recomputeCollectionSums(
  container: MedusaContainer,
  collectionId: string
): Promise<boolean> {
  const payments = container.resolve<IPaymentModuleService & DatesPayments>(Modules.PAYMENT)
  const [collection] = await payments.listPaymentCollections(
    { id: [collectionId] },
    { select: ["id", "status"], relations: ["payments", "payments.captures"] }
  )
  // Of another provider a capture may be one of several to come, and core would take the payment for captured in full.
  const captured = collection?.payments?.find(
    ({ provider_id, canceled_at, captures }) =>
      provider_id.startsWith("pp_crypto_") && !canceled_at && (captures?.length ?? 0) > 0
  )
  if (collection === undefined || captured === undefined) {
    return false
  }
  if (!captured.captured_at) {
    // Core died between the capture and this date. Without it core would capture a second time, and refuse to.
    const [{ created_at: captured_at }] = captured.captures as [CaptureDTO]
    await payments.updatePayment({ id: captured.id, captured_at })
  }
  await payments.capturePayment({ payment_id: captured.id })
  if (collection.status === "canceled") {
    // Core's sum takes a collection for completed that a cancelled order has left.
    await payments.updatePaymentCollections(collectionId, { status: PaymentCollectionStatus.CANCELED })
  }
  return true
}
