import type { CreateOrderDTO, MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderStatus } from "@medusajs/framework/utils"
import { amountsEqual, isMoreThan, isResolvedByAdmin } from "../decision"
import { resolveLedger } from "../modules/crypto-payments"
import { beingSettledError, notAllowed } from "../modules/crypto-payments/errors"
import type { LeasedRow } from "../modules/crypto-payments/payment-requests/leases"
import { receivedOf } from "../modules/crypto-payments/payment-requests/received-money"
import { CASES_OF_CART } from "../modules/crypto-payments/payment-requests/request-sql"
import { queryStore } from "../modules/crypto-payments/store-query"
import { putOnOrder, requireProvider, settleToEnd } from "./apply-payment"
import { CART_LOCK_S, whileLocked } from "./core/cart-lock"
import { finishOrderLinks, linkCart } from "./core/finish-order-links"
import { holdPayment } from "./core/hold-payment"
import { findOrderLeftBehind } from "./core/orders-left-behind"

type Kept = Record<string, unknown>
type Line = Kept & { tax_lines?: Kept[]; adjustments?: Kept[] }

interface Cart extends Kept {
  id: string
  currency_code: string
  shipping_address?: Kept | null
  billing_address?: Kept | null
  items?: Line[]
  shipping_methods?: Line[]
  credit_lines?: Kept[]
  customer?: { id: string } | null
  order?: { id: string; is_draft_order: boolean } | null
}

const FIELDS = [
  ...["id", "email", "currency_code", "region_id", "sales_channel_id", "locale", "metadata", "customer.id"],
  ...["order.id", "order.is_draft_order", "shipping_address.*", "billing_address.*", "credit_lines.id"],
  ...["items", "shipping_methods"].flatMap((of) => [`${of}.*`, `${of}.tax_lines.*`, `${of}.adjustments.*`]),
]

/**
 * Makes a draft order of what the cart of a received payment still has, at the cart's prices, and uses the payment for
 * it: too little leaves the rest to be paid, and too much becomes the case `order_overpaid`. The draft is the cart's
 * order from then on, so nobody can complete the cart as well, and a second call finds the same draft. It reserves no
 * stock and asks nobody for a price: the merchant decides when they convert it.
 *
 * Money that core has captured without an order is booked on the draft by the settle, as on an order that core has left
 * incomplete.
 *
 * @returns the draft's id
 * @throws MedusaError 400 `cart_gone`, `cart_has_order`, `cart_has_credit`, `cart_paid_otherwise`, `order_may_exist`, and
 *   what `applyPayment` refuses
 */
export async function makeDraftOfCart(
  container: MedusaContainer,
  { id, by }: { id: string; by: string }
): Promise<string> {
  const orderId = await holdPayment(container, id, async (row) => {
    const { facts, money } = resolveLedger(container)
    const isCaptured = isMoreThan((await facts.read(id)).payment_captured, "0")
    if (!isCaptured || row.refund_registered_at !== null) {
      await money.requireUnused(row)
    }
    if (row.cart_id === null || !CASES_OF_CART.includes(row.attention_reason)) {
      throw hasOrder()
    }
    const cartId = row.cart_id
    if (!isCaptured) {
      await requireProvider(container, row)
    }
    await refuseBesideOrder(container, row, cartId)
    const held = await whileLocked(container, cartId, CART_LOCK_S, async () => {
      return await draftOf(container, row, cartId, isCaptured)
    })
    if (held === undefined) {
      throw beingSettledError()
    }
    if (!isCaptured) {
      await putOnOrder(container, row, { id, by, orderId: held.result, isDraftOfCart: true })
    }
    return held.result
  })
  await settleToEnd(container, { id, by })
  return orderId
}

/**
 * Core may have placed the cart's order before its process died. An order that has the collection's link is linked to
 * the cart here, and `draftOf` finds it. An admin user who has closed the case says that the named order is another.
 */
async function refuseBesideOrder(container: MedusaContainer, row: LeasedRow, cartId: string): Promise<void> {
  const { cases, completions, requests } = resolveLedger(container)
  const since = await completions.readBegun(cartId)
  if (since === null) {
    return
  }
  const named = await cases.findNamedOrder(row.id)
  const known = isResolvedByAdmin(row) ? named : null
  const clearance = await findOrderLeftBehind(container, cartId, since, known)
  if (clearance === "in_use") {
    throw beingSettledError()
  }
  if (clearance !== "clear") {
    const { leftBehindId: order_id } = clearance
    if (order_id !== named) {
      await requests.addActivity(row.id, "attention", { reason: row.attention_reason, order_id })
    }
    throw notAllowed(
      `Order ${order_id} may be this cart's order already. If it is, cancel it in Medusa. If it is another sale, ` +
        "resolve the case with a note. Then check the payment again or create the draft order.",
      "order_may_exist"
    )
  }
}

/** Under the cart's lock: the draft that was made before, or a new one, with its links. */
async function draftOf(
  container: MedusaContainer,
  row: LeasedRow,
  cartId: string,
  isCaptured: boolean
): Promise<string> {
  const [cart] = await queryStore<Cart>("cart", FIELDS, { id: cartId })
  if (cart?.order != null && !cart.order.is_draft_order) {
    throw hasOrder()
  }
  const begun = cart?.order?.id
  if (begun !== undefined && !isCaptured && (await isPaidOtherwise(container, begun))) {
    throw hasOrder()
  }
  const { announcements, facts, orderLinks } = resolveLedger(container)
  const { paid_by_another, is_other_payment_begun } = await facts.read(row.id)
  if (paid_by_another || is_other_payment_begun) {
    throw notAllowed(
      "The cart was paid or is being paid in another way as well. Void or refund that payment with its provider, then " +
        "create the draft order. Or send this payment back.",
      "cart_paid_otherwise"
    )
  }
  const { currency_code } = receivedOf(row)
  if (cart === undefined || (cart.items ?? []).length === 0) {
    throw notAllowed(
      `The payment's cart is deleted or has no items any more. ${instead(isCaptured)}`,
      "cart_gone"
    )
  }
  if (cart.currency_code.toLowerCase() !== currency_code) {
    throw notAllowed(
      `The payment's cart is in ${cart.currency_code.toUpperCase()}, and ${currency_code.toUpperCase()} was received. ` +
        instead(isCaptured),
      "other_currency"
    )
  }
  if ((cart.credit_lines ?? []).length > 0) {
    // Core uses up a gift card or store credit when it completes a cart.
    throw notAllowed(
      "The payment's cart has a gift card or store credit, which a draft order would give without using it up. " +
        instead(isCaptured),
      "cart_has_credit"
    )
  }
  const orderId = begun ?? (await container.resolve(Modules.ORDER).createOrders(toDraft(cart))).id
  // Before the links: `order.placed` is core's to send when it is converted.
  await announcements.expectNone(cartId, orderId)
  // They ask for all that the cart costs.
  await orderLinks.withdraw(orderId)
  await linkCart(container, cartId, orderId)
  await finishOrderLinks(
    { container, row: isCaptured ? row : { ...row, payment_collection_id: null } },
    orderId
  )
  return orderId
}

/** Another payment of the cart has been used for its draft: it takes no second one that may be too much. */
async function isPaidOtherwise(container: MedusaContainer, orderId: string): Promise<boolean> {
  const { orderLinks } = resolveLedger(container)
  const [order] = await queryStore<{ total: number }>("order", ["id", "total"], { id: orderId })
  const payable = await orderLinks.findPayable(orderId)
  return order === undefined || payable === undefined || !amountsEqual(payable.outstanding, order.total)
}

const OWN = /^(id|cart_id|item_id|shipping_method_id|created_at|updated_at|deleted_at|raw_.*)$/

const JSON_FIELDS = ["metadata", "data", "variant_option_values"]

/** What a line, an address or a tax line says, without whose it is: neither ids nor relations. */
const copyOf = (kept: Kept): Kept =>
  Object.fromEntries(
    Object.entries(kept).filter(
      ([name, value]) => !OWN.test(name) && (typeof value !== "object" || JSON_FIELDS.includes(name))
    )
  )

const copyOfLine = ({ tax_lines = [], adjustments = [], ...line }: Line): Kept => ({
  ...copyOf(line),
  tax_lines: tax_lines.map(copyOf),
  adjustments: adjustments.map(copyOf),
})

function toDraft(cart: Cart): CreateOrderDTO {
  const { email, currency_code, region_id, sales_channel_id, locale, metadata, customer } = cart
  return {
    ...{ email, currency_code, region_id, sales_channel_id, locale, metadata },
    customer_id: customer?.id,
    status: OrderStatus.DRAFT,
    is_draft_order: true,
    no_notification: false,
    shipping_address: cart.shipping_address && copyOf(cart.shipping_address),
    billing_address: cart.billing_address && copyOf(cart.billing_address),
    items: (cart.items ?? []).map(copyOfLine),
    shipping_methods: (cart.shipping_methods ?? []).map(copyOfLine),
  } as unknown as CreateOrderDTO
}

/** Captured money cannot be moved to another order. */
const instead = (isCaptured: boolean): string =>
  isCaptured
    ? "Send the payment back and register the refund."
    : "Use the payment for another order, for example a draft order that you make yourself, or send it back."

const hasOrder = () =>
  notAllowed(
    "A draft order is only made of the cart of a payment that has no order. Check the payment again: its case then " +
      "says what to do.",
    "cart_has_order"
  )
