import { describeStore } from "../support/store-under-test"

jest.setTimeout(60_000)

/** Every table and column of core's that the ledger's SQL names. */
const CORE_COLUMNS: Record<string, string[]> = {
  payment_session: [
    "id",
    "provider_id",
    "payment_collection_id",
    "amount",
    "currency_code",
    "authorized_at",
    "created_at",
    "deleted_at",
  ],
  payment_collection: ["id", "amount", "captured_amount", "refunded_amount"],
  payment: ["id", "payment_session_id", "payment_collection_id", "captured_at", "deleted_at"],
  capture: ["id", "payment_id", "amount", "created_at", "deleted_at"],
  refund: ["id", "payment_id", "amount", "created_at", "deleted_at"],
  cart: ["id", "email", "customer_id", "completed_at", "shipping_address_id", "billing_address_id"],
  cart_address: ["id", "first_name", "last_name"],
  cart_payment_collection: ["cart_id", "payment_collection_id", "deleted_at"],
  customer: ["id", "email"],
  order: [
    "id",
    "display_id",
    "email",
    "customer_id",
    "status",
    "canceled_at",
    "created_at",
    "shipping_address_id",
    "billing_address_id",
    "deleted_at",
  ],
  order_address: ["id", "first_name", "last_name"],
  order_cart: ["order_id", "cart_id", "deleted_at"],
  order_payment_collection: ["order_id", "payment_collection_id", "deleted_at"],
  order_summary: ["order_id", "version", "totals", "deleted_at"],
  order_transaction: ["order_id", "reference", "reference_id", "deleted_at"],
}

describeStore("core's tables", (store) => {
  it.each(Object.entries(CORE_COLUMNS))("%s has the columns the ledger reads", async (table, columns) => {
    const rows = await store
      .knex("information_schema.columns")
      .where({ table_schema: "public", table_name: table })
      .pluck("column_name")
    expect(rows).toEqual(expect.arrayContaining(columns))
  })
})
