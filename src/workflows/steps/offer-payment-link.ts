import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { createPaymentSessionsWorkflow } from "@medusajs/medusa/core-flows"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import { alreadyPaidError, beingStartedError } from "../../modules/crypto-payments/errors"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { isMoreThan } from "../../decision"
import { whileLocked } from "../core/while-locked"

/** Which order's link is wanted. MedusaError 404 for an id the ledger does not have, 400 when nothing waits to be paid. */
export interface OfferPaymentLinkInput {
  /** Any ledger row (`cpreq_…`) of the order. */
  id: string
}

/** As the guard of the routes that create sessions, whose queue this joins. */
const WAIT_S = 20

/**
 * There is no compensation: a link that was made is watched, whoever learns of it.
 *
 * @example
 * offerPaymentLinkStep({ id: "cpreq_123" })
 */
export const offerPaymentLinkStep = createStep(
  { name: "offer-payment-link", noCompensation: true },
  async ({ id }: OfferPaymentLinkInput, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    const row = await ledger.requests.require(id)
    const collectionId = await collectionOfUnpaidOrder(ledger, row)
    const turn = await whileLocked(
      container,
      `crypto:${collectionId}`,
      WAIT_S,
      async () => await openLink(container, ledger, row, collectionId)
    )
    if (turn === undefined) {
      throw beingStartedError()
    }
    return new StepResponse({ payment_link: turn.result })
  }
)

/** @throws MedusaError 400 when the row's order is not one that waits for its payment */
async function collectionOfUnpaidOrder(
  ledger: CryptoPaymentsModuleService,
  row: CryptoPaymentRequestRow
): Promise<string> {
  const facts = await ledger.readSettlementFacts(row.id)
  const isUnpaid =
    facts.order_id !== null &&
    !facts.order_canceled &&
    !facts.paid_by_another &&
    isMoreThan(facts.order_unpaid ?? "0", "0")
  if (!isUnpaid || row.payment_collection_id === null || row.paid_at !== null) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "Only an order that stands and is not paid has a payment link to send.",
      "nothing_to_pay"
    )
  }
  await ledger.requireProvider(row)
  return row.payment_collection_id
}

async function openLink(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  { provider_id }: CryptoPaymentRequestRow,
  collectionId: string
): Promise<string> {
  await ledger.refuseWhatCannotSucceed(collectionId, provider_id)
  // A new session even for a link that is open: the order's time starts again with it.
  const { result } = await createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: collectionId, provider_id },
  })
  const bound = await ledger.requests.findBySession(result.id)
  if (bound?.payment_link == null || bound.paid_at !== null) {
    // Money that came before and was looking for its order: it is being settled.
    throw alreadyPaidError()
  }
  return bound.payment_link
}
