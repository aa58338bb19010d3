import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../../decision"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"

/**
 * A cart edit or a switch of the region that was vetoed because the link is paid leaves the collection with the new
 * total and currency, and core does not take that back. The session still asks what was paid, so the collection has to as
 * well.
 *
 * The amount of a placed order's collection is left alone, because the order may have been edited. Another currency than
 * the captured payment's is never right.
 */
export async function restoreCollection(
  container: MedusaContainer,
  { payment_collection_id }: CryptoPaymentRequestRow,
  facts: SettlementFacts
): Promise<void> {
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
    await container
      .resolve<IPaymentModuleService>(Modules.PAYMENT)
      .updatePaymentCollections(payment_collection_id, {
        amount: session_amount,
        currency_code: session_currency_code,
      })
  }
}
