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
    "status",
    "authorized_at",
    "created_at",
    "deleted_at",
  ],
  payment_collection: [
    "id",
    "amount",
    "currency_code",
    "status",
    "captured_amount",
    "refunded_amount",
    "created_at",
    "deleted_at",
  ],
  payment: [
    "id",
    "provider_id",
    "payment_session_id",
    "payment_collection_id",
    "currency_code",
    "data",
    "created_at",
    "captured_at",
    "canceled_at",
    "deleted_at",
  ],
  capture: ["id", "payment_id", "amount", "created_at", "deleted_at"],
  refund: ["id", "payment_id", "amount", "created_at", "deleted_at"],
  cart: [
    "id",
    "email",
    "customer_id",
    "currency_code",
    "region_id",
    "sales_channel_id",
    "created_at",
    "completed_at",
    "shipping_address_id",
    "billing_address_id",
    "deleted_at",
  ],
  cart_address: ["id", "first_name", "last_name", "created_at"],
  cart_line_item: ["cart_id", "variant_id", "title", "quantity", "unit_price", "deleted_at"],
  cart_shipping_method: ["cart_id", "shipping_option_id", "amount", "deleted_at"],
  cart_payment_collection: ["cart_id", "payment_collection_id", "deleted_at"],
  customer: ["id", "email"],
  order: [
    "id",
    "display_id",
    "email",
    "customer_id",
    "currency_code",
    "region_id",
    "sales_channel_id",
    "version",
    "is_draft_order",
    "status",
    "canceled_at",
    "created_at",
    "shipping_address_id",
    "billing_address_id",
    "deleted_at",
  ],
  order_address: ["id", "first_name", "last_name", "created_at"],
  fulfillment: ["id", "canceled_at", "deleted_at"],
  order_change: ["order_id", "change_type", "status", "deleted_at"],
  order_fulfillment: ["order_id", "fulfillment_id", "deleted_at"],
  order_item: [
    "order_id",
    "version",
    "item_id",
    "quantity",
    "unit_price",
    "return_requested_quantity",
    "return_received_quantity",
    "return_dismissed_quantity",
    "deleted_at",
  ],
  order_line_item: ["id", "variant_id", "title", "unit_price", "is_tax_inclusive"],
  order_line_item_tax_line: ["item_id", "rate", "deleted_at"],
  order_line_item_adjustment: ["item_id", "version", "amount", "is_tax_inclusive", "deleted_at"],
  order_shipping: ["order_id", "version", "shipping_method_id", "deleted_at"],
  order_shipping_method: ["id", "shipping_option_id", "amount", "is_tax_inclusive"],
  order_shipping_method_tax_line: ["shipping_method_id", "rate", "deleted_at"],
  order_shipping_method_adjustment: ["shipping_method_id", "version", "amount", "deleted_at"],
  order_credit_line: ["order_id", "version", "amount", "deleted_at"],
  order_cart: ["order_id", "cart_id", "deleted_at"],
  order_payment_collection: ["order_id", "payment_collection_id", "deleted_at"],
  order_summary: ["order_id", "version", "totals", "deleted_at"],
  order_transaction: ["order_id", "amount", "reference", "reference_id", "deleted_at"],
  reservation_item: ["line_item_id", "deleted_at"],
  workflow_execution: ["workflow_id", "state", "context", "created_at", "updated_at", "deleted_at"],
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
