import { OrderChanges } from "../../support/order-changes"
import type { Shopper } from "../../support/shopper"
import { waitUntil } from "../../support/wait-until"
import type { StoreFromOutside } from "./store"

/** The ledger's row of a payment that a test made, with the ledger's `id`. */
export type MadePayment = Awaited<ReturnType<Payments["open"]>>
type MakeOptions = Parameters<Shopper["checkout"]>[0]

/** Payments as shoppers bring them about. */
export class Payments {
  constructor(private readonly store: StoreFromOutside) {}

  /** A link that nobody has paid yet. */
  async open(options: MakeOptions = {}) {
    const { cartId, session } = await this.store.shopper.checkout(options)
    return await this.read(session.data.payment_request_id, cartId)
  }

  /** An unpaid order, in a store that places orders first. */
  async ordered(options: MakeOptions = {}): Promise<MadePayment> {
    const { paymentRequestId, cartId } = await this.open(options)
    const { status, data } = await this.store.shopper.complete(cartId)
    if (status !== 200 || (data as { type: string }).type !== "order") {
      throw new Error(`no order was placed: ${String(status)} ${JSON.stringify(data)}`)
    }
    return await this.read(paymentRequestId, cartId)
  }

  /** Paid, captured, with its order. */
  async paid(options: MakeOptions & { coin?: string } = {}): Promise<MadePayment> {
    const { paymentRequestId, cartId } = await this.open(options)
    await this.store.gateway.pay(paymentRequestId, { notify: true, wait: true, coin: options.coin ?? "USDT" })
    await this.until(paymentRequestId, { state: "captured" }, (row) => row["settled_at"] !== null)
    return await this.read(paymentRequestId, cartId)
  }

  /** The gateway was paid another `amount` than was asked for, or another `currencySymbol`. */
  async mismatched(came: Record<string, string> = { amount: "5.00" }): Promise<MadePayment> {
    const { paymentRequestId, cartId } = await this.open()
    await this.store.gateway.pay(paymentRequestId, { notify: true, wait: true, ...came })
    await this.until(paymentRequestId, { attention_reason: "amount_mismatch" })
    return await this.read(paymentRequestId, cartId)
  }

  /** Paid through a link whose cart has moved on. */
  async orphaned(options: MakeOptions = {}): Promise<MadePayment> {
    const { paymentRequestId, cartId } = await this.open(options)
    await this.store.shopper.post(`/carts/${cartId}/line-items`, {
      variant_id: this.store.secondVariantId,
      quantity: 1,
    })
    await this.store.gateway.pay(paymentRequestId, { notify: true, wait: true })
    await this.until(paymentRequestId, { attention_reason: "orphan_paid" })
    return await this.read(paymentRequestId, cartId)
  }

  /** Other tests' cases would be listed before a test's own, and the list shows ten at a time. */
  async closeCases(): Promise<void> {
    await this.store
      .knex("crypto_payment_request")
      .whereNotNull("attention_reason")
      .whereNull("attention_resolved_at")
      // Closed without a note they would be findings of the audit, which other files run.
      .update({ attention_resolved_at: new Date(), attention_note: "closed for another test" })
  }

  /** An order that a merchant has made and nobody has paid. @returns its id */
  async madeByMerchant(draft: Parameters<OrderChanges["draft"]>[0] = {}): Promise<string> {
    const changes = new OrderChanges(this.store)
    const id = await changes.draft({ email: "phone@example.test", ...draft })
    await changes.must(`/draft-orders/${id}/convert-to-order`)
    return id
  }

  /** The row as it is now, when its columns have these values. */
  async until(
    paymentRequestId: string,
    columns: Record<string, unknown>,
    also: (row: Record<string, unknown>) => boolean = () => true
  ): Promise<Record<string, unknown>> {
    const row = await waitUntil<Record<string, unknown> | undefined>(
      async () =>
        await this.store
          .knex<Record<string, unknown>>("crypto_payment_request")
          .where({ payment_request_id: paymentRequestId, ...columns })
          .first(),
      (found) => found !== undefined && also(found)
    )
    return row ?? {}
  }

  private async read(paymentRequestId: string, cartId: string) {
    const row = await this.until(paymentRequestId, {})
    const order = await this.store
      .knex("order")
      .join("order_cart", "order_cart.order_id", "order.id")
      .where("order_cart.cart_id", cartId)
      .first<{ id: string; display_id: number } | undefined>("order.id", "order.display_id")
    return {
      id: String(row["id"]),
      paymentRequestId,
      cartId,
      orderId: order?.id ?? null,
      displayId: order?.display_id ?? null,
    }
  }
}
