import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import { beingSettledError, notAllowed, providerMissingError } from "../modules/crypto-payments/errors"
import type { LeasedRow } from "../modules/crypto-payments/payment-requests/leases"
import { receivedOf } from "../modules/crypto-payments/payment-requests/received-money"
import { HELD_WAIT_MS } from "../modules/crypto-payments/waiting"
import { holdPayment } from "./core/hold-payment"
import { createOrderCollection, withSessionLock } from "./core/payment-collections"
import { settleWorker } from "./settle-worker"

interface AppliedPayment {
  id: string
  orderId: string
  /** The admin user or API key. */
  by: string
}

/**
 * Uses received money that pays for nothing for an order that owes at least as much, in its currency. The settle that
 * follows binds it to a session of the order and captures it, as it does for money whose session core has deleted. A
 * crash leaves an empty payment collection at most, or a row that is due.
 *
 * @throws MedusaError 400 `already_used`, `refund_registered`, `order_does_not_owe_it`, `other_currency`,
 *   `being_settled`, `provider_missing`, `paused`
 */
export async function applyPayment(container: MedusaContainer, input: AppliedPayment): Promise<void> {
  await holdPayment(container, input.id, async (row) => {
    await resolveLedger(container).money.requireUnused(row)
    await requireProvider(container, row)
    await putOnOrder(container, row, { ...input, isDraftOfCart: false })
  })
  await settleToEnd(container, input)
}

/** Nothing can capture the money without its provider. @throws MedusaError 400 `provider_missing` */
export async function requireProvider(container: MedusaContainer, { provider_id }: LeasedRow): Promise<void> {
  if (!(await resolveLedger(container).settings.listRegistered()).includes(provider_id)) {
    throw providerMissingError(provider_id)
  }
}

/**
 * Gives the money to an order, in the queue of those who make links of it.
 *
 * @param isDraftOfCart the order was made because of this money, and may cost less than was received
 */
export async function putOnOrder(
  container: MedusaContainer,
  row: LeasedRow,
  { orderId, by, isDraftOfCart }: AppliedPayment & { isDraftOfCart: boolean }
): Promise<void> {
  const { money } = resolveLedger(container)
  const held = await withSessionLock(container, orderId, async () => {
    const collectionId = await collectionOf(container, row, orderId, isDraftOfCart)
    const cart_id = isDraftOfCart ? row.cart_id : null
    const given = { order_id: orderId, payment_collection_id: collectionId, cart_id, by }
    if ((await money.apply(row, given)) === undefined) {
      await money.requireUnused(await resolveLedger(container).requests.require(row.id))
      throw beingSettledError()
    }
  })
  if (held === undefined) {
    throw beingSettledError()
  }
}

/** An unpaid collection of the order that asks for exactly what was received, or a new one. */
async function collectionOf(
  container: MedusaContainer,
  row: LeasedRow,
  orderId: string,
  mayBeMore: boolean
): Promise<string> {
  const { amount, currency_code } = receivedOf(row)
  const { money, orderLinks } = resolveLedger(container)
  const payable = await orderLinks.findPayable(orderId)
  if (payable?.is_being_settled === true) {
    throw beingSettledError()
  }
  if (payable !== undefined && payable.currency_code.toLowerCase() !== currency_code) {
    throw notAllowed(
      `The order is in ${payable.currency_code.toUpperCase()}, and the payment was received in ` +
        `${currency_code.toUpperCase()}. Choose another order, or send the payment back.`,
      "other_currency"
    )
  }
  if (payable === undefined || (!mayBeMore && isMoreThan(amount, await money.readUncovered(orderId)))) {
    throw notAllowed(
      `Only an order that is not cancelled and owes at least ${amount} ${currency_code.toUpperCase()} that no other ` +
        "authorized payment covers can take this payment. Choose another order, or send the payment back.",
      "order_does_not_owe_it"
    )
  }
  const unpaid = await container
    .resolve(Modules.PAYMENT)
    .listPaymentCollections({ id: payable.collection_ids }, { select: ["id", "amount"] })
  const exact = unpaid.find((collection) => amountsEqual(collection.amount, amount))
  return exact?.id ?? (await createOrderCollection(container, orderId, amount))
}

/** One settle binds the money to a session, and the next one captures it. What is left is done by the schedule. */
export async function settleToEnd(
  container: MedusaContainer,
  { id, by }: Pick<AppliedPayment, "id" | "by">
): Promise<void> {
  for (let left = 2; left > 0; left--) {
    await settleWorker.settleNow(container, id, { trigger: "admin", by }, HELD_WAIT_MS)
  }
}
