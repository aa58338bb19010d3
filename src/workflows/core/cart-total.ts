import type { BigNumberInput, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { refreshPaymentCollectionForCartWorkflow } from "@medusajs/medusa/core-flows"
import { amountsEqual } from "../../decision"
import { PROVIDER_PREFIX } from "../../modules/crypto-payments/settings/names"
import { queryStore } from "../../modules/crypto-payments/store-query"
import { warn } from "./settling"

/**
 * What a cart asks for, as core adds it up. Core compares a cart's total neither with its payment nor with its payment
 * collection: a change of a cart that is refused, or that a hook ends, leaves the collection with the new total and
 * currency, and the next try finds both equal.
 */

interface Asked {
  amount: number | string
  currency_code: string
}

interface CartToPay {
  id: string
  currency_code: string
  /** Major units. */
  total: number | string
  /** The same with all its digits, as core compares it. */
  raw_total: BigNumberInput
  payment_collection?: (Asked & { id: string; payment_sessions?: (Asked & { provider_id: string })[] }) | null
}

/** @returns undefined when there is no such cart, or it is an order already */
async function readCartToPay(id: string): Promise<CartToPay | undefined> {
  const asked = ["amount", "currency_code"]
  const fields = [
    ...["id", "currency_code", "total", "raw_total"],
    ...["id", ...asked].map((field) => `payment_collection.${field}`),
    ...["provider_id", ...asked].map((field) => `payment_collection.payment_sessions.${field}`),
  ]
  const [cart] = await queryStore<CartToPay>("cart", fields, { id, completed_at: null })
  return cart
}

const toAsked = ({ total: amount, currency_code }: CartToPay): Asked => ({ amount, currency_code })

const isSame = (one: Asked, other: Asked): boolean =>
  one.currency_code === other.currency_code && amountsEqual(one.amount, other.amount)

/**
 * Compares a cart with its payment session of ours, before core completes or changes the cart. A payment collection
 * that asks for something else than both is set back, so that core notices the next change of the cart.
 *
 * @returns false when the session is not of what the cart asks for
 */
export async function agreesWithSession(container: MedusaContainer, cartId: string): Promise<boolean> {
  const cart = await readCartToPay(cartId)
  const collection = cart?.payment_collection
  const sessions = (collection?.payment_sessions ?? []).filter(({ provider_id }) =>
    provider_id.startsWith(PROVIDER_PREFIX)
  )
  if (cart === undefined || !collection || sessions.length === 0) {
    return true
  }
  // A process that died can have left another session.
  const isAgreed = sessions.some((session) => isSame(toAsked(cart), session))
  if (isAgreed && !isSame(collection, toAsked(cart))) {
    const { raw_total: amount, currency_code } = cart
    await container
      .resolve(Modules.PAYMENT)
      .updatePaymentCollections(collection.id, { amount, currency_code })
  }
  return isAgreed
}

/**
 * Lets core bring a payment collection in line with its cart, before it gets a session: as core does itself at each
 * change of a cart.
 *
 * @returns false when core could not, because the collection's link turned out to be paid or the cart is locked
 */
export async function alignWithCart(container: MedusaContainer, collectionId: string): Promise<boolean> {
  const filters = { payment_collection_id: collectionId }
  const [link] = await queryStore<{ cart_id: string }>("cart_payment_collection", ["cart_id"], filters)
  const cart = link && (await readCartToPay(link.cart_id))
  if (!cart?.payment_collection || isSame(cart.payment_collection, toAsked(cart))) {
    return true
  }
  try {
    await refreshPaymentCollectionForCartWorkflow(container).run({ input: { cart_id: cart.id } })
    return true
  } catch (error) {
    warn(
      container,
      `crypto payments: the payment collection of cart ${cart.id} was not brought in line`,
      error
    )
    return false
  }
}
