import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../../decision"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { whileLocked } from "./while-locked"

/** As long as a session creation waits that came in by HTTP, whose queue this joins. */
const WAIT_S = 20

/**
 * Replaces a link that asks for another amount than its order owes by one of what the order owes now; when the order owes
 * nothing, the link is only withdrawn. The old link is still watched: it stays payable at the gateway.
 *
 * The new session is created before the old one is deleted, and not by core's workflow, which does both at once: a gateway
 * that fails must not leave the order without a session. If the old link turns out to be paid, its session stays, and is
 * captured.
 */
export async function renewLink(
  container: MedusaContainer,
  { id, session_id, provider_id, payment_collection_id: collectionId }: CryptoPaymentRequestRow
): Promise<void> {
  if (collectionId === null) {
    return
  }
  const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  await whileLocked(container, `crypto:${collectionId}`, WAIT_S, async () => {
    const row = await ledger.requests.require(id)
    const facts = await ledger.readSettlementFacts(id)
    const { session_amount, link_amount } = facts
    if (
      row.state !== "open" ||
      row.session_id !== session_id ||
      session_amount === null ||
      link_amount === null
    ) {
      return // Paid, withdrawn or offered anew meanwhile.
    }
    if (amountsEqual(session_amount, link_amount) || row.gateway_status === "PENDING") {
      return // Or somebody is paying at this moment.
    }
    if (isMoreThan(link_amount, "0")) {
      await lowerToWhatIsOwed(payments, collectionId, facts)
      await payments.createPaymentSession(collectionId, {
        provider_id,
        amount: link_amount,
        currency_code: row.currency_code,
        data: {},
      })
    }
    await payments.deletePaymentSession(session_id)
  })
}

/** Core makes a session for what its collection asks for, so the collection must not ask for more than is owed. */
export async function lowerToWhatIsOwed(
  payments: IPaymentModuleService,
  collectionId: string,
  { collection_amount, link_amount }: Pick<SettlementFacts, "collection_amount" | "link_amount">
): Promise<void> {
  if (
    link_amount !== null &&
    isMoreThan(link_amount, "0") &&
    isMoreThan(collection_amount ?? "0", link_amount)
  ) {
    await payments.updatePaymentCollections(collectionId, { amount: link_amount })
  }
}
