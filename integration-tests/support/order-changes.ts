import type { AdminApi } from "./admin-api"
import type { PaidOrder } from "./paid-checkout"
import { expectOk, type SessionData } from "./shopper"
import type { StoreUnderTest } from "./store-under-test"

type DraftOptions = { quantity?: number; currency?: "usd" | "aed"; email?: string; shipping_address?: object }
type SentItem = { id: string; quantity: number }

/** What a merchant does to placed orders, by the admin's API, as the admin's pages call it. */
export class OrderChanges {
  constructor(protected readonly store: Pick<StoreUnderTest, "asAdmin" | "knex" | "seeded">) {}

  readonly post: AdminApi["post"] = (path, body = {}) => this.store.asAdmin.post(path, body)

  /** @throws unless the admin's API answers 200 */
  async must(path: string, body?: unknown): Promise<Record<string, unknown>> {
    return expectOk(path, await this.post(path, body))
  }

  async remove(path: string): Promise<void> {
    expectOk(path, await this.store.asAdmin.delete(path))
  }

  /** One more of the second variant, or of another one. */
  async raise(orderId: string, variantId?: string): Promise<void> {
    await this.must(`${await this.beginRaise(orderId, variantId)}/confirm`)
  }

  /** The same edit, before it is confirmed. @returns its path */
  async beginRaise(orderId: string, variantId = this.store.seeded.variantIds[1]): Promise<string> {
    const edit = `/order-edits/${orderId}`
    const items = [{ variant_id: variantId, quantity: 1 }]
    await this.must("/order-edits", { order_id: orderId })
    await this.must(`${edit}/items`, { items })
    return edit
  }

  /** Another price for each of these items: 5.00 of 20.01 is shipping. */
  async reprice(orderId: string, items: { id: string; quantity: number; unit_price: number }[]) {
    await this.must("/order-edits", { order_id: orderId })
    for (const { id, ...change } of items) {
      await this.must(`/order-edits/${orderId}/items/item/${id}`, change)
    }
    await this.must(`/order-edits/${orderId}/confirm`)
  }

  /** What the order owes by core's own figures: core's outstanding amount also deducts returns that are only requested. */
  async owed(orderId: string): Promise<number> {
    const { total, summary } = await this.read(orderId, "total,currency_code,summary.*")
    return total - summary.transaction_total
  }

  /** What core calls outstanding, and the status of the order's payment, as the admin shows both. */
  async books(orderId: string): Promise<{ pending: number; paymentStatus: string }> {
    const { summary, payment_status } = await this.read(
      orderId,
      "total,currency_code,summary.*,payment_status"
    )
    return { pending: summary.pending_difference, paymentStatus: payment_status }
  }

  /** The items of the order's current version. */
  async items(orderId: string): Promise<SentItem[]> {
    const { items } = await this.read(orderId, "*items")
    return items.map(({ id, quantity }: SentItem) => ({ id, quantity }))
  }

  /** The merchant sends everything, so that it can come back. */
  async fulfill(orderId: string): Promise<SentItem[]> {
    const items = await this.items(orderId)
    await this.must(`/orders/${orderId}/fulfillments`, { items })
    return items
  }

  /** What was sent comes back later, and something else is sent for it at another price. */
  async exchange(orderId: string, unitPrice: number, sent?: SentItem[]): Promise<void> {
    const items = sent ?? (await this.fulfill(orderId))
    const { exchange } = await this.must("/exchanges", { order_id: orderId })
    const { id } = exchange as { id: string }
    await this.must(`/exchanges/${id}/inbound/items`, { items })
    await this.must(`/exchanges/${id}/outbound/items`, { items: [this.replacement(unitPrice)] })
    await this.must(`/exchanges/${id}/request`)
  }

  /** Something else is sent for what was broken, which comes back later. */
  async claim(orderId: string, unitPrice: number, sent?: SentItem[]): Promise<void> {
    const items = sent ?? (await this.fulfill(orderId))
    const { claim } = await this.must("/claims", { order_id: orderId, type: "replace" })
    const { id } = claim as { id: string }
    await this.must(`/claims/${id}/claim-items`, { items })
    await this.must(`/claims/${id}/inbound/items`, { items })
    await this.must(`/claims/${id}/outbound/items`, { items: [this.replacement(unitPrice)] })
    await this.must(`/claims/${id}/request`)
  }

  /**
   * @param quantity how many of each item come back; without it all of them
   * @returns the return's id; nothing has come back yet
   */
  async requestReturn(orderId: string, quantity?: number, sent?: SentItem[]): Promise<string> {
    const items = (sent ?? (await this.fulfill(orderId))).map((item) => ({
      ...item,
      quantity: quantity ?? item.quantity,
    }))
    const { id: location_id } = await this.store.knex("stock_location").first<{ id: string }>("id")
    const { return: made } = await this.must("/returns", { order_id: orderId, location_id })
    const { id } = made as { id: string }
    await this.must(`/returns/${id}/request-items`, { items })
    await this.must(`/returns/${id}/request`)
    return id
  }

  /** What was requested with `requestReturn` has come back. */
  async receiveReturn(id: string): Promise<void> {
    const rows = await this.store.knex("return_item").where({ return_id: id }).select("item_id", "quantity")
    const items = rows.map(({ item_id, quantity }) => ({ id: String(item_id), quantity: Number(quantity) }))
    await this.must(`/returns/${id}/receive`)
    await this.must(`/returns/${id}/receive-items`, { items })
    await this.must(`/returns/${id}/receive/confirm`)
  }

  /** A payment link of the admin's for a collection of an order. */
  async link(collectionId: string) {
    const sessions = `/payment-collections/${collectionId}/payment-sessions`
    await this.must(sessions, { provider_id: "pp_crypto_default" })
    const { id, data } = await this.store
      .knex("payment_session")
      .where({ payment_collection_id: collectionId, deleted_at: null })
      .orderBy("created_at", "desc")
      .first<{ id: string; data: SessionData }>("id", "data")
    return { sessionId: id, paymentRequestId: data.payment_request_id, amount: data.amount, data }
  }

  /** The order's collections that nothing was paid in. */
  async openCollections(orderId: string): Promise<{ id: string; amount: string }[]> {
    const rows = await this.store
      .knex({ opc: "order_payment_collection" })
      .join({ pc: "payment_collection" }, "pc.id", "opc.payment_collection_id")
      .where({ "opc.order_id": orderId, "opc.deleted_at": null })
      .whereIn("pc.status", ["not_paid", "awaiting"])
      .orderBy("pc.created_at")
      .select("pc.id", "pc.amount")
    return rows.map(({ id, amount }) => ({ id: id as string, amount: Number(amount).toFixed(2) }))
  }

  /** A draft order of so many items of 15.01 USD, without a payment collection. @returns its id */
  async draft({ quantity = 1, currency = "usd", ...body }: DraftOptions = {}): Promise<string> {
    const { regions, salesChannelId, variantId } = this.store.seeded
    const { draft_order } = await this.must("/draft-orders", {
      email: "guest@example.test",
      region_id: regions[currency],
      sales_channel_id: salesChannelId,
      items: [{ variant_id: variantId, quantity }],
      ...body,
    })
    return (draft_order as { id: string }).id
  }

  async collection({ orderId }: Pick<PaidOrder, "orderId">, amount: number): Promise<string> {
    const { payment_collection } = await this.must("/payment-collections", { order_id: orderId, amount })
    return (payment_collection as { id: string }).id
  }

  /** These fields of an order, as the admin shows it. */
  protected async read(orderId: string, fields: string) {
    const { data } = await this.store.asAdmin.get(`/orders/${orderId}?fields=${fields}`)
    return data.order
  }

  private replacement(unitPrice: number): object {
    return { variant_id: this.store.seeded.variantIds[1], quantity: 1, unit_price: unitPrice }
  }
}
