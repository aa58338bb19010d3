import type { NotAsked, ReadFailure } from "../../../../../decision"
import { beingSettledError, isNotAsked, unexpectedState } from "../../../../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../../../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../../../../modules/crypto-payments/service"
import { HELD_WAIT_MS } from "../../../../../modules/crypto-payments/waiting"
import { settleWorker } from "../../../../../workflows/settle-worker"
import { answer, showCryptoPayment } from "../../respond"

/** Unchanged by a check that changes nothing. */
const OUTCOME = [
  "state",
  "gateway_status",
  "order_id",
  "settled_at",
  "attention_reason",
  "attention_since",
  "attention_resolved_at",
] as const satisfies readonly (keyof CryptoPaymentRequestRow)[]

/** `not_asked` when the request cannot be read, or another settle has taken it over. */
type Reading = "read" | "not_asked" | Exclude<ReadFailure, NotAsked>

/**
 * Check now: asks the gateway and settles, before everything that waits in the queue. Without a registered provider it
 * still reads and decides on what Medusa has.
 *
 * `check` says what happened: the route answers 200 whatever could be read.
 */
export const POST = answer(async (req, ledger) => {
  const id = req.params["id"] ?? ""
  const before = await ledger.requests.require(id)
  let check: { gateway: Reading; changed: boolean } = { gateway: "not_asked", changed: false }
  // Without an id, the creation got no answer. The gateway can be asked once its list or a notification names the id.
  if (before.payment_request_id !== null) {
    const asked = { trigger: "admin", by: req.auth_context.actor_id } as const
    const end = await settleWorker.settleNow(req.scope, id, asked, HELD_WAIT_MS)
    if (end === "left") {
      throw beingSettledError()
    }
    if (end !== "settled") {
      throw unexpectedState(
        `The payment could not be checked (${end.failed}). It is tried again by itself; the log has more.`
      )
    }
    const row = await ledger.requests.require(id)
    check = {
      gateway: await howGatewayWasRead(ledger, before, row),
      changed: OUTCOME.some((column) => String(before[column]) !== String(row[column])),
    }
  }
  return { crypto_payment: await showCryptoPayment(req), check }
})

async function howGatewayWasRead(
  ledger: CryptoPaymentsModuleService,
  before: CryptoPaymentRequestRow,
  after: CryptoPaymentRequestRow
): Promise<Reading> {
  if (before.paid_at === null) {
    const isRead = before.last_checked_at?.getTime() !== after.last_checked_at?.getTime()
    return !isRead || isNotAsked(after.failure) ? "not_asked" : (after.failure ?? "read")
  }
  // PAID is final, so a settle does not read it again. This route reads it to show what the gateway says.
  const answer = await ledger.gateways.read(after, "shop")
  if ("record" in answer) {
    return "read"
  }
  return isNotAsked(answer.failure) ? "not_asked" : answer.failure
}
