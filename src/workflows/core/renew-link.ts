import type { IPaymentModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan, quickCheckAt, recordedStatus } from "../../decision"
import { resolveLedger } from "../../modules/crypto-payments"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type { SettlementFacts } from "../../modules/crypto-payments/payment-requests/core-facts"
import { dropSessions } from "./drop-rival-sessions"
import { whileLocked } from "./locks"

/** As long as a session creation waits that came in by HTTP, whose queue this joins. */
const WAIT_S = 20

/**
 * Replaces a link that asks for another amount than its order owes by one of what the order owes now; when the order
 * owes nothing, the link is only withdrawn. The old link is still watched: it stays payable at the gateway.
 *
 * The new session is created before the old one is deleted, and not by core's workflow, which does both at once: a
 * gateway that fails must not leave the order without a session. If the old link turns out to be paid, its session
 * stays, and is captured.
 */
export async function renewLink(container: MedusaContainer, request: CryptoPaymentRequestRow): Promise<void> {
  const { id, session_id, provider_id, payment_collection_id: collectionId } = request
  if (collectionId === null) {
    return
  }
  const ledger = resolveLedger(container)
  const payments = container.resolve<IPaymentModuleService>(Modules.PAYMENT)
  await whileLocked(container, `crypto:${collectionId}`, WAIT_S, async () => {
    const row = await ledger.requests.require(id)
    const facts = await ledger.facts.read(id)
    const { session_amount, link_amount } = facts
    if (
      row.state !== "open" ||
      row.session_id !== session_id ||
      session_amount === null ||
      link_amount === null
    ) {
      return // Paid, withdrawn or offered anew meanwhile.
    }
    if (amountsEqual(session_amount, link_amount) || recordedStatus(row) === "PENDING") {
      return // Or somebody is paying at this moment.
    }
    if (quickCheckAt(row, facts.database_now) !== null) {
      return // The gateway has just told of a payment that it does not show yet.
    }
    const payable = facts.order_id === null ? undefined : await ledger.orderLinks.findPayable(facts.order_id)
    if (payable?.isBeingSettled === true) {
      // Another link of the order is paid: what the order owes is known once that is captured.
      return
    }
    if (isMoreThan(link_amount, "0")) {
      await askForWhatIsOwed(payments, collectionId, facts)
      const renewed = await payments.createPaymentSession(collectionId, {
        provider_id,
        amount: link_amount,
        currency_code: row.currency_code,
        data: {},
      })
      // What a process made and left that was killed before it deleted the old session. That one goes last: until then,
      // an interrupted renewal is begun anew.
      await dropSessions(
        container,
        request,
        (session) => session.provider_id === provider_id && ![renewed.id, session_id].includes(session.id)
      )
    }
    await payments.deletePaymentSession(session_id)
  })
}

/** Core makes a session for what its collection asks for, so the collection has to ask for what the link may. */
export async function askForWhatIsOwed(
  payments: IPaymentModuleService,
  collectionId: string,
  { collection_amount, link_amount }: Pick<SettlementFacts, "collection_amount" | "link_amount">
): Promise<void> {
  if (
    link_amount !== null &&
    isMoreThan(link_amount, "0") &&
    !amountsEqual(collection_amount ?? "0", link_amount)
  ) {
    await payments.updatePaymentCollections(collectionId, { amount: link_amount })
  }
}
