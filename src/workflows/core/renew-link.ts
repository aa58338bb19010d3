import { Modules } from "@medusajs/framework/utils"
import { decideTurn, isMoreThan } from "../../decision"
import { dropSessions } from "./drop-rival-sessions"
import { askForWhatIsOwed, inSessionQueue } from "./payment-collections"
import type { Settling } from "./settling"

/**
 * Replaces a link with an outdated amount by one for what the order owes now. When the order owes nothing, the link is
 * only withdrawn. The old link can still be paid, so it is still checked.
 *
 * The new session is created before the old one is deleted, unlike in core's workflow: a failing gateway must not leave
 * the order without a session. If the old link turns out to be paid, its session stays and is captured.
 */
export async function renewLink({ container, ledger, row: request }: Omit<Settling, "facts">): Promise<void> {
  const { id, session_id, provider_id, payment_collection_id: collectionId } = request
  if (collectionId === null) {
    return
  }
  const payments = container.resolve(Modules.PAYMENT)
  await inSessionQueue(container, collectionId, async () => {
    const row = await ledger.requests.require(id)
    const facts = await ledger.facts.read(id)
    // `isAskedByPerson`, because the ladder counts this try already.
    const about = { row, facts, isAskedByPerson: true, wasCaptured: false, done: {} }
    if (row.session_id !== session_id || decideTurn(about).act !== "renew") {
      return // Paid, withdrawn or offered anew meanwhile, or somebody may be paying at this moment.
    }
    const amount = facts.link_amount ?? "0"
    const payable = facts.order_id === null ? undefined : await ledger.orderLinks.findPayable(facts.order_id)
    if (payable?.is_being_settled === true) {
      // Another link of the order is paid: what the order owes is known once that payment is captured.
      return
    }
    if (isMoreThan(amount, "0")) {
      await askForWhatIsOwed(container, collectionId, facts)
      const renewed = await payments.createPaymentSession(collectionId, {
        provider_id,
        amount,
        currency_code: row.currency_code,
        data: {},
      })
      // Sessions of a process that was killed before it deleted the old one. The old one goes last: until then, an
      // interrupted renewal begins again.
      await dropSessions(
        { container, row: request },
        (session) => session.provider_id === provider_id && ![renewed.id, session_id].includes(session.id)
      )
    }
    await payments.deletePaymentSession(session_id)
  })
}
