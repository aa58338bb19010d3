import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"
import { needsAlignment, isMoreThan } from "../../decision"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { recomputeCollectionSums } from "./recompute-collection-sums"
import { whileLocked } from "./while-locked"

const WAIT_S = 20

/**
 * Lets the collection of a captured payment ask for what was captured in it. When that is too little for the order, a
 * collection of its own asks for the rest.
 *
 * An edit of the order before the capture changes what the collection asks for, and the link may be paid all the same. A
 * collection that asks for more than was captured takes neither another session nor **Mark as paid**, and core cancels it
 * at the next edit. Of one that asks for less, core says that the order is refunded as soon as that much is sent back.
 */
export async function alignCollections(
  container: MedusaContainer,
  { id, payment_collection_id: collectionId }: CryptoPaymentRequestRow
): Promise<void> {
  if (collectionId === null) {
    return
  }
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  await whileLocked(container, `crypto:${collectionId}`, WAIT_S, async () => {
    const facts = await ledger.readSettlementFacts(id)
    if (needsAlignment(undefined, facts)) {
      await container
        .resolve<IPaymentModuleService>(Modules.PAYMENT)
        .updatePaymentCollections(collectionId, { amount: facts.collection_captured })
      await recomputeCollectionSums(container, collectionId)
    }
    await askForRest(container, facts)
  })
}

/** Core makes such a collection when an order is edited; here it is made when the payment was too little. */
async function askForRest(
  container: MedusaContainer,
  { order_id, order_unpaid, rest_is_asked_for }: SettlementFacts
): Promise<void> {
  if (order_id !== null && !rest_is_asked_for && isMoreThan(order_unpaid ?? "0", "0")) {
    await createOrderPaymentCollectionWorkflow(container).run({
      input: { order_id, amount: Number(order_unpaid) },
    })
  }
}
