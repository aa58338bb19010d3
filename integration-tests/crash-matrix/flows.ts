import { PAID, PAID_ORDER, type Books } from "./books"
import type { Flow, Scene, Step } from "./flow"
import { expectOk } from "../support/shopper"
import { waitUntil } from "../support/wait-until"
import { untilAtRest, untilIdle } from "../support/rest"
import { UNPAID_ORDER_TTL_MINUTES } from "./shop"
import {
  cancelOrder,
  completeCart,
  endWhatCoreLeft,
  findOrder,
  makeDraftOrder,
  notify,
  openPaymentStep,
  openPayPage,
  pagesOf,
  pay,
  placeOrderUnpaid,
  registerRefund,
  reopenPaidPaymentStep,
  settleBySchedule,
} from "./steps"
import { letMinutesPass } from "../support/time"

const REFUNDED_ORDER = { ...PAID_ORDER, credited: "20.01" }

const REFUNDED: Books = {
  ...PAID,
  collection: { ...PAID.collection, refunded: "20.01" },
  refunds: ["20.01"],
  transactions: ["20.01", "-20.01"],
  ledger: [{ state: "refunded", settled: true, attention: null }],
  order: REFUNDED_ORDER,
  registered: ["20.01 applied"],
}

/** The order is cancelled and its stock is free. The link stays payable, was paid late, and has a case. */
const PAID_TOO_LATE: Books = {
  ...PAID,
  collection: { status: "canceled", authorized: "0.00", captured: "0.00", refunded: "0.00" },
  sessions: ["pending_authorization"],
  payments: [],
  captures: [],
  transactions: [],
  ledger: [{ state: "paid", settled: false, attention: "paid_on_canceled" }],
  order: { ...PAID_ORDER, isCanceled: true, pending: "20.01" },
  reserved: 0,
}

/** A draft order of the cart has the capture, and reserves no stock. */
const DRAFT: Books = { ...PAID, reserved: 0 }

/** The same of a cart that costs more by now: the draft owes the rest. The cart's own collection has nothing. */
const DRAFT_OF_MORE: Books = {
  ...DRAFT,
  collection: { status: "not_paid", authorized: "0.00", captured: "0.00", refunded: "0.00" },
  ...{ sessions: [], payments: [], captures: [] },
  ledger: [{ state: "captured", settled: true, attention: "order_underpaid" }],
  order: { ...PAID_ORDER, pending: "15.01" },
}

/** An unpaid order that staff made dearer, paid once by a link of its pay page. */
const PAID_AT_PAGE: Books = {
  ...PAID,
  collection: { ...PAID.collection, authorized: "35.02", captured: "35.02" },
  captures: ["35.02"],
  transactions: ["35.02"],
  ledger: [
    { state: "superseded", settled: false, attention: null },
    { state: "captured", settled: true, attention: null },
  ],
  reserved: 2,
}

/** The flows of issue 14, each with what people and the gateway do in it. */
export const FLOWS: Flow[] = [
  { name: "notification", prepare: openCart, steps: [openPaymentStep, pay, notify], end: PAID },
  { name: "completion", prepare: openLink, steps: [pay, completeCart], end: PAID },
  { name: "adoption", prepare: payLinkOfFormerTotal, steps: [reopenPaidPaymentStep], end: PAID },
  { name: "refund-with-order", prepare: placePaidOrder, steps: [registerRefund], end: REFUNDED },
  {
    name: "refund-without-order",
    prepare: payWithoutShipping,
    steps: [registerRefund],
    // Core completes no cart with a session that is canceled.
    end: {
      ...REFUNDED,
      collection: { ...REFUNDED.collection, authorized: "0.00" },
      sessions: ["canceled"],
      ...{ orders: 0, transactions: [], order: null, reserved: 0 },
    },
  },
  {
    name: "draft-captured",
    prepare: async (scene) => {
      await payWithoutShipping(scene)
      // A capture of the last two minutes may still be core's to book, so the draft would get it by a later check.
      await letMinutesPass(scene.shop, 3, [scene.checkout])
    },
    steps: [makeDraftOrder],
    end: DRAFT,
  },
  { name: "draft-received", prepare: payLinkOfSmallerCart, steps: [makeDraftOrder], end: DRAFT_OF_MORE },
  {
    name: "cancel",
    prepare: async (scene) => {
      await placePaidOrder(scene)
      await take(scene, registerRefund)
    },
    steps: [cancelOrder],
    end: {
      ...REFUNDED,
      collection: { ...REFUNDED.collection, status: "canceled" },
      order: { ...REFUNDED_ORDER, isCanceled: true },
      reserved: 0,
    },
  },
  {
    name: "order-first",
    placement: "before_payment",
    prepare: openLink,
    steps: [placeOrderUnpaid, pay, notify],
    end: PAID,
  },
  {
    name: "pay-page",
    placement: "before_payment",
    prepare: async (scene) => {
      await placeUnpaidOrder(scene)
      const { id } = await findOrder(scene.shop.knex, scene.checkout.cartId)
      await pagesOf(scene).changes.raise(id, scene.checkout.product.variantId)
    },
    steps: [openPayPage, pay, notify],
    end: PAID_AT_PAGE,
  },
  {
    name: "cancel-unpaid",
    placement: "before_payment",
    prepare: placeUnpaidOrder,
    steps: [cancelOrder],
    afterwards: [pay, notify],
    end: PAID_TOO_LATE,
  },
  {
    name: "expiry",
    placement: "before_payment",
    prepare: async (scene) => {
      await placeUnpaidOrder(scene)
      await letMinutesPass(scene.shop, UNPAID_ORDER_TTL_MINUTES + 1, [scene.checkout])
    },
    steps: [settleBySchedule, endWhatCoreLeft],
    afterwards: [pay, notify],
    end: PAID_TOO_LATE,
  },
]

async function openCart({ shopper, checkout }: Scene): Promise<void> {
  checkout.cartId = await shopper.cart({ email: checkout.email })
  checkout.collectionId = await shopper.collection(checkout.cartId)
}

async function openLink(scene: Scene): Promise<void> {
  await openCart(scene)
  await take(scene, openPaymentStep)
}

async function placePaidOrder(scene: Scene): Promise<void> {
  await openLink(scene)
  await take(scene, pay, notify)
  await untilAtRest(scene.shop, scene.checkout.paid, scene.checkout)
}

async function placeUnpaidOrder(scene: Scene): Promise<void> {
  await openLink(scene)
  await take(scene, placeOrderUnpaid)
  // The completion gives the payment request back after it has answered.
  await untilIdle(scene.shop, [scene.checkout.cartId])
}

/** Captured, and core cannot place the order: it refuses a cart without a shipping option before it writes anything. */
async function payWithoutShipping(scene: Scene): Promise<void> {
  const { shop, checkout } = scene
  await openLink(scene)
  const methods = shop.knex("cart_shipping_method").where({ cart_id: checkout.cartId })
  // The method stays, so that the cart asks for what was paid.
  await methods.update({ shipping_option_id: null })
  await take(scene, pay, notify)
  await untilCase(scene, "paid_without_order")
}

/** The cart changed, and its old link was paid: no session waits for the money. */
async function payLinkOfSmallerCart(scene: Scene): Promise<void> {
  await openLink(scene)
  await setQuantity(scene, 2)
  await take(scene, pay, notify)
  await untilCase(scene, "orphan_paid")
}

/** The same, and it goes back to its old total. */
async function payLinkOfFormerTotal(scene: Scene): Promise<void> {
  await payLinkOfSmallerCart(scene)
  await setQuantity(scene, 1)
}

async function setQuantity({ shopper, checkout: { cartId } }: Scene, quantity: number): Promise<void> {
  const { data } = await shopper.get(`/carts/${cartId}`)
  const [item] = data.cart.items as { id: string }[]
  const path = `/carts/${cartId}/line-items/${String(item?.id)}`
  expectOk(path, await shopper.post(path, { quantity }))
}

async function untilCase({ shop: { knex }, checkout: { cartId } }: Scene, reason: string): Promise<void> {
  await waitUntil(
    async () => await knex("crypto_payment_request").where({ cart_id: cartId }).first(),
    ({ attention_reason, lease_until }) => attention_reason === reason && lease_until === null
  )
}

async function take(scene: Scene, ...steps: Step[]): Promise<void> {
  for (const step of steps) {
    const refused = await step.take(scene)
    if (refused !== undefined) {
      throw new Error(`${step.name}: ${refused}`)
    }
  }
}
