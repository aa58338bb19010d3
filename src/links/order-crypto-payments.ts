import { defineLink } from "@medusajs/framework/utils"
import Order from "@medusajs/medusa/order"
import CryptoPayments from "../modules/crypto-payments"

/** The types of modules do not name their models. */
interface Linked<Model extends string> {
  linkable: Record<
    Model,
    { id: { serviceName: string; linkable: string; primaryKey: string; field: string } }
  >
}

const OrderModule = Order as unknown as Linked<"order">
const CryptoPaymentsModule = CryptoPayments as unknown as Linked<"cryptoPaymentRequest">

/**
 * So that Query reads an order's crypto payments: `crypto_payment_requests` of an order, with the fields that
 * `modules/crypto-payments/reports/payments-for-query.ts` gives. Read-only: it has no table.
 */
export default defineLink(
  { linkable: OrderModule.linkable.order.id, field: "id" },
  { ...CryptoPaymentsModule.linkable.cryptoPaymentRequest.id, primaryKey: "order_id" },
  { readOnly: true, isList: true }
)
