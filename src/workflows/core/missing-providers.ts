import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { resolveLedger } from "../../modules/crypto-payments"
import { alreadyPaidError } from "../../modules/crypto-payments/errors"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"

/**
 * Of each model, core's module has a method that deletes rows and asks no provider. Its type does not list this one.
 */
interface SessionRows {
  deletePaymentSessions(ids: string[]): Promise<void>
}

/**
 * Deletes the sessions of a collection whose crypto provider medusa-config does not register. Core asks the provider of
 * each session that it deletes, before it creates another one. Without the provider it answers 500, for ever: the payer
 * of such a cart could choose no way to pay. The links are withdrawn and still checked.
 *
 * @throws MedusaError 400 when one of them is paid
 */
export async function deleteSessionsOfMissingProviders(
  container: MedusaContainer,
  collectionId: string
): Promise<void> {
  const { links, requests, settings } = resolveLedger(container)
  const registered = await settings.listRegistered()
  const payments = container.resolve(Modules.PAYMENT)
  const sessions = await payments.listPaymentSessions(
    { payment_collection_id: collectionId },
    { relations: ["payment"] }
  )
  for (const { id, provider_id, payment } of sessions) {
    if (payment != null || !provider_id.startsWith(PROVIDER_PREFIX) || registered.includes(provider_id)) {
      continue
    }
    const row = await requests.findBySession(id)
    if (row !== undefined && row.paid_at !== null && row.state !== "refunded") {
      throw alreadyPaidError()
    }
    await (payments as unknown as SessionRows).deletePaymentSessions([id])
    await (row && links.withdraw(row.id, id))
  }
}
