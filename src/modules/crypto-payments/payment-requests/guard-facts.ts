import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { IDS_OF_ORDER, REGISTERED_REFUND, REQUESTS } from "./request-sql"

/** Our requests that belong to an order: through its cart, its collections, or as the ledger noted. */
export async function findRequestsOfOrder(knex: Knex, orderId: string): Promise<CryptoPaymentRequestRow[]> {
  const { rows } = await knex.raw<{ rows: CryptoPaymentRequestRow[] }>(
    `SELECT r.* FROM ${REQUESTS} r WHERE r.id IN (${IDS_OF_ORDER(":orderId")})`,
    { orderId }
  )
  return rows
}

/** Why a cart must not become an order: all its money was sent back, or a person has closed the case of its payment. */
export type CompletionBar = "refunded" | "left_to_person"

/** @returns null when the cart may be completed, or is an order already */
export async function readCompletionBar(knex: Knex, cartId: string): Promise<CompletionBar | null> {
  const { rows } = await knex.raw<{ rows: { is_refunded: boolean; is_left_to_person: boolean }[] }>(
    `SELECT EXISTS (SELECT 1 FROM payment p
                     WHERE p.payment_session_id = r.paid_session_id AND p.captured_at IS NOT NULL
                       AND p.deleted_at IS NULL)
              AND round(r.gateway_amount::numeric, 2) <= ${REGISTERED_REFUND} AS is_refunded,
            r.attention_reason = 'paid_without_order' AND r.attention_resolved_at IS NOT NULL AS is_left_to_person
       FROM crypto_payment_request r
      WHERE r.cart_id = ? AND r.paid_at IS NOT NULL AND r.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM order_cart oc WHERE oc.cart_id = r.cart_id AND oc.deleted_at IS NULL)`,
    [cartId]
  )
  if (rows.some(({ is_refunded }) => is_refunded)) {
    return "refunded"
  }
  return rows.some(({ is_left_to_person }) => is_left_to_person) ? "left_to_person" : null
}
