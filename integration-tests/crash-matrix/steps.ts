import type { AxiosResponse } from "axios"
import { readSession } from "../support/shopper"
import type { Step } from "./flow"

const AMOUNT = "20.01"

/** The payer opens the payment step, and is given a link. */
export const openPaymentStep: Step = {
  name: "the payer opens the payment step",
  isRepeated: "always",
  take: async ({ shopper, checkout }) => {
    const answer = await shopper.openSession(checkout.collectionId)
    if (answer.status === 200) {
      checkout.link = readSession(answer.data).data.payment_request_id
    }
    return refusal(answer)
  },
}

/** The same for a cart that was paid through an earlier link: its money is taken for the cart, so there is nothing to pay. */
export const reopenPaidPaymentStep: Step = {
  ...openPaymentStep,
  take: async (scene) => {
    const refused = await openPaymentStep.take(scene)
    return refused?.startsWith("400 ") === true ? undefined : refused
  },
}

/** The payer pays at the gateway. No store is asked. */
export const pay: Step = {
  name: "the payer pays",
  isRepeated: "always",
  take: async ({ shop, checkout: { link, paid } }) => {
    if (!paid.includes(link)) {
      paid.push(link)
      await shop.gateway.pay(link)
    }
    return undefined
  },
}

/** The gateway tells the store, once. */
export const notify: Step = {
  name: "the gateway notifies",
  isRepeated: "never",
  take: async ({ shop, at, checkout }) => {
    const [status] = await shop.gateway.notify(checkout.link, { url: at.webhookUrl })
    return status === 200 ? undefined : String(status)
  },
}

/** The storefront completes the cart. */
export const completeCart: Step = {
  name: "the storefront completes the cart",
  isRepeated: "at_once",
  take: async ({ shopper, checkout }) => {
    const answer = await shopper.complete(checkout.cartId)
    return answer.data.type === "order" ? undefined : refusal(answer)
  },
}

/** The storefront places the order before it is paid: without that there is nothing to pay. */
export const placeOrderUnpaid: Step = { ...completeCart, isRepeated: "always" }

/** The merchant registers a refund of everything. */
export const registerRefund: Step = {
  name: "the merchant registers the refund",
  isRepeated: "always",
  take: async ({ shop: { knex }, admin, checkout: { cartId } }) => {
    const { id } = await knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
    return refusal(
      await admin.post(`/crypto-payments/${id}/refunds`, { amount: AMOUNT, reference: `0x${cartId}` })
    )
  },
}

/**
 * The merchant cancels the order, unless it shows as cancelled. Core may have died over the cancellation and left a
 * change of the order open, with which it refuses another one: the merchant cancels that change.
 */
export const cancelOrder: Step = {
  name: "the merchant cancels the order",
  isRepeated: "always",
  take: async ({ shop: { knex }, admin, checkout: { cartId } }) => {
    const { id, status } = await knex("order as o")
      .join("order_cart as oc", "oc.order_id", "o.id")
      .where({ "oc.cart_id": cartId, "oc.deleted_at": null })
      .first("o.id", "o.status")
    if (status === "canceled") {
      return undefined
    }
    const answer = await admin.post(`/orders/${id}/cancel`)
    if (answer.status === 400) {
      await admin.delete(`/order-edits/${id}`)
    }
    return refusal(answer)
  },
}

/** The case of an order that could not be cancelled names the change that core left open. The merchant cancels it. */
export const endWhatCoreLeft: Step = {
  name: "the merchant cancels the change that core left open",
  isRepeated: "always",
  take: async ({ shop: { knex }, admin, checkout: { cartId } }) => {
    const { id, status } = await knex("order as o")
      .join("order_cart as oc", "oc.order_id", "o.id")
      .where({ "oc.cart_id": cartId, "oc.deleted_at": null })
      .first("o.id", "o.status")
    const isNamed = await knex("crypto_payment_request")
      .where({ cart_id: cartId, attention_reason: "order_not_canceled" })
      .first("id")
    if (status !== "canceled" && isNamed !== undefined) {
      await admin.delete(`/order-edits/${id}`)
    }
    return status === "canceled" ? undefined : "the order is not cancelled yet"
  },
}

/** The schedule finds the payment request due. */
export const settleBySchedule: Step = {
  name: "the schedule settles",
  isRepeated: "never",
  take: async ({ shop: { knex }, at, checkout: { cartId } }) => {
    const { id } = await knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
    await at.settleDue(id)
    return undefined
  },
}

const refusal = ({ status, data }: AxiosResponse): string | undefined =>
  status === 200 ? undefined : `${String(status)} ${String(data.message ?? JSON.stringify(data))}`
