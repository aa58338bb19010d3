import type { CaptureDTO, IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, PaymentCollectionStatus } from "@medusajs/framework/utils"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"

/** Core's type of this update has only the id. */
interface DatesPayments {
  updatePayment: (payment: { id: string; captured_at: Date | string }) => Promise<unknown>
}

/**
 * Corrects a payment collection's captured and refunded amounts from its captures and refunds, by core's own sum.
 *
 * Core writes a capture or a refund, asks the provider, and only then updates the collection: a process that dies in
 * between leaves the sums wrong. `capturePayment` sums up again, and does nothing else for a captured payment: it makes
 * no capture and does not ask the provider. Core counts each refund's row, also one that nobody registered: the audit's
 * `refund_sums_differ` names it.
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
