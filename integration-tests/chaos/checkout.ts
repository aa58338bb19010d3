import { readSession, guestAddress } from "../support/shopper"
import type { StoreCluster } from "../support/cluster/store-cluster"
import { OrderChanges } from "../support/order-changes"
import { ORDER_FIRST } from "../support/order-first"
import type { Merchant } from "./merchant"
import type { CheckoutPlan } from "./plan"
import { Visitor } from "./visitor"

const OTHER_PROVIDER = "pp_system_default"

/** How the e-mail addresses of draft orders begin: no cart leads to these. */
export const DRAFTS = "draft-"

/** Plays one plan through. Nothing here expects anything: what came of it is judged by the audit alone. */
export async function playCheckout(merchant: Merchant, plan: CheckoutPlan, email: string): Promise<void> {
  const { cluster } = merchant
  if (plan.isDraft) {
    await playDraft(merchant, plan, `${DRAFTS}${email}`)
    return
  }
  const visitor = new Visitor(cluster, plan.near)
  const cartId = await visitor.insist((shopper) => shopper.cart({ currency: plan.currency, email }))
  const collectionId = await visitor.insist(async (shopper) => await shopper.collection(cartId ?? ""))
  if (cartId === undefined || collectionId === undefined) {
    return
  }
  const open = async () => await openLink(visitor, collectionId, plan.placesFirst)

  if (plan.createFault !== null) {
    await cluster.gateway.fail(plan.createFault)
  }
  const first = await open()
  if (plan.completesUnpaid || plan.placesFirst) {
    await visitor.ask(0, (shopper) => shopper.complete(cartId))
  }
  const isChanged = await change(merchant, visitor, plan, { cartId, collectionId, email })
  const current = isChanged ? await open() : first
  const old = first === current ? undefined : first
  const all = [current, old].filter((id) => id !== undefined)
  if (plan.forges) {
    await Promise.all(all.map((id) => forge(cluster, plan, id)))
  }
  if (plan.change === "item_added_and_removed") {
    await addItem(visitor, cartId)
  }
  const wanted: (string | undefined)[] = {
    current_link: [current],
    old_link: [old ?? current],
    both_links: [old, current],
    wrong_amount: [current],
    nothing: [],
  }[plan.pays]
  const paid = wanted.filter((link) => link !== undefined)
  for (const id of paid) {
    await pay(cluster, plan, id)
  }
  if (plan.change === "item_added_and_removed") {
    // Both were paid while the cart asked another amount; now it asks the old one again.
    await removeAddedItem(visitor, cartId)
    await open()
  }
  await Promise.all([
    ...paid.map((id) => notify(cluster, plan, id)),
    ...Array.from({ length: plan.completes }, (_, turn) =>
      visitor.ask(turn, (shopper) => shopper.complete(cartId))
    ),
    ...(plan.editsAfterPaying ? [addItem(visitor, cartId)] : []),
    merchant.take(plan, { cartId }, paid),
  ])
}

/** The merchant makes a draft order and asks for its payment; who gets no answer gives up. */
async function playDraft(merchant: Merchant, plan: CheckoutPlan, email: string): Promise<void> {
  const { cluster } = merchant
  const changes = new OrderChanges(merchant.backOffice(plan.near))
  try {
    const orderId = await changes.draft({
      email,
      currency: plan.currency,
      shipping_address: guestAddress(plan.currency),
    })
    const summary = await cluster.knex("order_summary").where({ order_id: orderId }).first("totals")
    const amount = Number(summary.totals.pending_difference)
    const { paymentRequestId } = await changes.link(await changes.collection({ orderId }, amount))
    const paid = plan.pays === "nothing" ? [] : [paymentRequestId]
    for (const id of paid) {
      await pay(cluster, plan, id)
      await notify(cluster, plan, id)
    }
    await merchant.take(plan, { orderId }, paid)
  } catch {
    // A server or the database was killed meanwhile.
  }
}

/** @returns the payment request's id; undefined when the shop says no */
async function openLink(visitor: Visitor, collectionId: string, placesFirst: boolean) {
  return await visitor.insist(async (shopper) => {
    const provider = placesFirst ? ORDER_FIRST : undefined
    const { status, data } = await shopper.openSession(collectionId, undefined, provider)
    return status === 400 ? undefined : readSession(data).data.payment_request_id
  })
}

/** @returns whether the payment step has to be opened again */
async function change(
  merchant: Merchant,
  visitor: Visitor,
  plan: CheckoutPlan,
  { cartId, collectionId, email }: { cartId: string; collectionId: string; email: string }
): Promise<boolean> {
  switch (plan.change) {
    case "none":
      return false
    case "payment_reopened":
      return true
    case "item_added":
      await addItem(visitor, cartId)
      return true
    case "other_email":
    // With an item added and removed: another payer gets another link for the same amount.
    case "item_added_and_removed":
      await visitor.ask(0, (shopper) => shopper.post(`/carts/${cartId}`, { email: `other-${email}` }))
      return true
    case "other_region": {
      const other = plan.currency === "usd" ? "aed" : "usd"
      await visitor.ask(0, (shopper) =>
        shopper.post(`/carts/${cartId}`, {
          region_id: merchant.cluster.seeded.regions[other],
          shipping_address: guestAddress(other),
        })
      )
      return true
    }
    case "paid_otherwise":
    case "other_provider":
      await visitor.ask(1, (shopper) => shopper.openSession(collectionId, undefined, OTHER_PROVIDER))
      if (plan.change === "other_provider") {
        return true
      }
      await visitor.ask(1, (shopper) => shopper.complete(cartId))
      await merchant.captureOtherwise(plan, collectionId)
      return false
  }
}

async function removeAddedItem(visitor: Visitor, cartId: string): Promise<void> {
  const { knex, seeded } = visitor.cluster
  const [, variant_id] = seeded.variantIds
  const item = await knex("cart_line_item").where({ cart_id: cartId, variant_id }).first("id")
  if (item !== undefined) {
    await visitor.ask(1, (shopper) => shopper.delete(`/carts/${cartId}/line-items/${String(item.id)}`))
  }
}

async function addItem(visitor: Visitor, cartId: string): Promise<void> {
  const [, variant_id] = visitor.cluster.seeded.variantIds
  await visitor.ask(1, (shopper) => shopper.post(`/carts/${cartId}/line-items`, { variant_id, quantity: 1 }))
}

async function pay({ gateway }: StoreCluster, plan: CheckoutPlan, id: string): Promise<void> {
  for (const fault of plan.readFaults) {
    await gateway.fail({ ...fault, payment_request_id: id })
  }
  await gateway.pay(id, {
    ...(plan.lag === "until_quiet" ? { visible: false } : { visibleAfterReads: plan.lag }),
    ...(plan.pays === "wrong_amount" ? { amount: "1.00" } : {}),
  })
}

async function notify({ gateway, server }: StoreCluster, plan: CheckoutPlan, id: string): Promise<void> {
  const deliver = async ({ status, to }: CheckoutPlan["notifications"][number]) =>
    await gateway.notify(id, { status, url: server(to).webhookUrl })
  if (plan.notificationsAtOnce) {
    await Promise.all(plan.notifications.map(deliver))
    return
  }
  for (const notification of plan.notifications) {
    await deliver(notification)
  }
}

/** Both ways to forge: a digest that is wrong, and one that is right for other fields. */
async function forge({ gateway, server }: StoreCluster, plan: CheckoutPlan, id: string): Promise<void> {
  const url = server(plan.near).webhookUrl
  await gateway.notify(id, { tamper: "boundary", url })
  await gateway.notify(id, { tamper: "hash", status: "PAID", url })
}
