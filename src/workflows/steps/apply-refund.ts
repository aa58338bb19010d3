import type {
  ILockingModule,
  IOrderModuleService,
  IPaymentModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { MathBN, MedusaError, Modules } from "@medusajs/framework/utils"
import { createStep, StepResponse } from "@medusajs/framework/workflows-sdk"
import { refundPaymentWorkflow } from "@medusajs/medusa/core-flows"
import { CRYPTO_PAYMENTS_MODULE } from "../../modules/crypto-payments"
import type { SettlementFacts } from "../../modules/crypto-payments/ledger/core-facts"
import type { RefundRegistration } from "../../modules/crypto-payments/ledger/refund-ledger"
import type { CryptoPaymentRefundRow } from "../../modules/crypto-payments/models/crypto-payment-refund"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { isMoreThan } from "../../settlement"

const CART_LOCK_S = 30

/**
 * Registers a refund made at the gateway and brings it into Medusa's books: on the order's payment, on a captured
 * payment without an order, or in the ledger alone where Medusa has no payment.
 *
 * There is no compensation: the money has been sent back, whatever fails here. The same call finishes the job.
 *
 * @example
 * applyRefundStep({ requestId: "cpreq_123", amount: "20.01", reference: "0xabc", note: null, createdBy: null })
 */
export const applyRefundStep = createStep(
  { name: "apply-refund", noCompensation: true },
  async (input: RefundRegistration, { container }) => {
    const ledger = container.resolve<CryptoPaymentsModuleService>(CRYPTO_PAYMENTS_MODULE)
    if ((await ledger.settlements.find(input.requestId)) === undefined) {
      throw new MedusaError(
        MedusaError.Types.NOT_FOUND,
        `The ledger has no payment request ${input.requestId}.`
      )
    }
    const row = await ledger.settlements.lease(input.requestId)
    if (row === undefined) {
      throw new MedusaError(
        MedusaError.Types.NOT_ALLOWED,
        "This payment request is being settled at this moment. Try again in a moment."
      )
    }
    try {
      const apply = async (): Promise<CryptoPaymentRefundRow> =>
        await registerAndApply(container, ledger, input)
      // Core's completion of the cart holds the same lock: an order and a refund never pass each other.
      const refund =
        row.cart_id === null
          ? await apply()
          : await container
              .resolve<ILockingModule>(Modules.LOCKING)
              .execute(row.cart_id, apply, { timeout: CART_LOCK_S })
      return new StepResponse(refund)
    } finally {
      const after = await ledger.settlements.find(row.id)
      await ledger.settlements.releaseLease(row, after?.next_check_at ?? null)
    }
  }
)

async function registerAndApply(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  input: RefundRegistration
): Promise<CryptoPaymentRefundRow> {
  const refund = await ledger.refunds.register(input)
  if (refund.state === "applied") {
    return refund
  }
  const facts = await ledger.readSettlementFacts(refund.request_id)
  if (facts?.payment_id != null && isMoreThan(facts.payment_captured, "0")) {
    await bringIntoBooks(container, ledger, refund, { ...facts, payment_id: facts.payment_id })
  }
  return await ledger.refunds.markApplied(refund)
}

async function bringIntoBooks(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  refund: CryptoPaymentRefundRow,
  facts: SettlementFacts & { payment_id: string }
): Promise<void> {
  const isHalfDone = await ledger.refunds.isInMedusa(refund)
  if (isHalfDone) {
    await addMissingTransaction(container, ledger, refund, facts.order_id)
    return
  }
  const input = {
    payment_id: facts.payment_id,
    amount: refund.amount,
    note: refund.reference,
    ...(refund.created_by === null ? {} : { created_by: refund.created_by }),
  }
  if (facts.order_id === null) {
    await container.resolve<IPaymentModuleService>(Modules.PAYMENT).refundPayment(input)
  } else {
    await refundPaymentWorkflow(container).run({ input })
  }
  const [applied] = (await ledger.refunds.list(refund.request_id)).filter(({ id }) => id === refund.id)
  if (applied === undefined || !(await ledger.refunds.isInMedusa(applied))) {
    throw new MedusaError(
      MedusaError.Types.UNEXPECTED_STATE,
      "The refund is registered, but Medusa did not book it. Register it again with the same reference."
    )
  }
}

/** Core books the refund and then the order's transaction; a crash between the two leaves the second out. */
async function addMissingTransaction(
  container: MedusaContainer,
  ledger: CryptoPaymentsModuleService,
  refund: CryptoPaymentRefundRow,
  orderId: string | null
): Promise<void> {
  const orders = container.resolve<IOrderModuleService>(Modules.ORDER)
  const reference = { reference: "refund", reference_id: refund.medusa_refund_id ?? "" }
  const request = await ledger.settlements.find(refund.request_id)
  if (orderId === null || request === undefined) {
    return
  }
  const known = await orders.listOrderTransactions({ order_id: orderId, ...reference })
  if (known.length === 0) {
    await orders.addOrderTransactions({
      order_id: orderId,
      amount: MathBN.mult(refund.amount, -1),
      currency_code: request.currency_code,
      ...reference,
    })
  }
}
