import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { AxiosResponse } from "axios"
import { PayPages } from "../support/pay-page"
import { readSession } from "../support/shopper"
import type { Scene, Step } from "./flow"

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

export const pagesOf = ({ shop: { knex, seeded, http }, at, admin }: Scene): PayPages =>
  new PayPages({ knex, seeded, http: http(at), asAdmin: admin })

/** A staff member copies the order's pay page, and the payer presses its button. */
export const openPayPage: Step = {
  name: "the payer presses the button of the pay page",
  isRepeated: "always",
  take: async (scene) => {
    const pages = pagesOf(scene)
    const { id } = await findOrder(scene.shop.knex, scene.checkout.cartId)
    scene.checkout.link = (await pages.link(await pages.of(id))).payment_request_id
    return undefined
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

/** A staff member makes a draft order of the payment's cart. */
export const makeDraftOrder: Step = {
  name: "a staff member makes a draft order of the cart",
  isRepeated: "always",
  take: async ({ shop: { knex }, admin, checkout: { cartId } }) => {
    const { id } = await knex("crypto_payment_request").where({ cart_id: cartId }).first("id")
    const answer = await admin.post(`/crypto-payments/${id}/draft-order`, {})
    // The draft has the money already.
    const isDone = ["already_used", "cart_has_order"].includes(String(answer.data.code))
    return isDone ? undefined : refusal(answer)
  },
}

export async function findOrder(knex: Knex, cartId: string): Promise<{ id: string; status: string }> {
  return await knex("order as o")
    .join("order_cart as oc", "oc.order_id", "o.id")
    .where({ "oc.cart_id": cartId, "oc.deleted_at": null })
    .first("o.id", "o.status")
}

/**
 * The merchant cancels the order, unless it shows as cancelled. Core may have died over the cancellation and left a
 * change of the order open, with which it refuses another one: the merchant cancels that change.
 */
export const cancelOrder: Step = {
  name: "the merchant cancels the order",
  isRepeated: "always",
  take: async ({ shop: { knex }, admin, checkout: { cartId } }) => {
    const { id, status } = await findOrder(knex, cartId)
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
    const { id, status } = await findOrder(knex, cartId)
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

/**
 * An order that a dead process may have left: the case names it, or the payer was told to ask the shop. The merchant
 * cancels it, and has the payment checked.
 */
export async function cancelOrderLeft(
  { shop: { knex }, admin, checkout }: Scene,
  refused?: string
): Promise<void> {
  const row = await knex("crypto_payment_request as r")
    .leftJoin("crypto_payment_activity as a", { "a.request_id": "r.id", "a.type": knex.raw("'attention'") })
    .where({ "r.cart_id": checkout.cartId, "r.deleted_at": null })
    .orderByRaw("a.detail ->> 'order_id' NULLS LAST")
    .first("r.id", "r.attention_reason", "r.attention_resolved_at", "a.detail")
  const isOpen = row?.attention_reason === "paid_without_order" && row.attention_resolved_at === null
  const isTold =
    (isOpen && row.detail?.order_id !== undefined) || refused?.includes("may exist already") === true
  const left = isTold ? await findOrderLeft(knex, checkout.email) : undefined
  if (left !== undefined) {
    await admin.post(`/orders/${left.id}/cancel`)
    await admin.post(`/crypto-payments/${row.id}/settle`, {})
  }
}

async function findOrderLeft(knex: Knex, email: string): Promise<{ id: string } | undefined> {
  return await knex("order as o")
    .where({ "o.email": email, "o.deleted_at": null })
    .whereNot({ "o.status": "canceled" })
    .whereNotExists(knex("order_cart as oc").whereRaw("oc.order_id = o.id AND oc.deleted_at IS NULL"))
    .first("o.id")
}
