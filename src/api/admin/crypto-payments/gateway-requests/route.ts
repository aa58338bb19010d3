import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MathBN } from "@medusajs/framework/utils"
import { PAYMENT_REQUEST_ID_PATTERN, type PaymentRequest } from "../../../../gateway"
import { resolveLedger } from "../../../../modules/crypto-payments"
import { sessionOfNote } from "../../../../modules/crypto-payments/reconciliation/match-listed"
import type { Viewer } from "../../../../modules/crypto-payments/reports/customer-sql"
import type { BesideRow } from "../../../../modules/crypto-payments/reports/search"
import { toGatewayRecord, withGateway } from "../respond"
import type { AdminListGatewayRequestsType } from "../validators"
import { viewerOf } from "../viewer"

/** A page of the gateway's own list with our rows next to it. It only reads: nothing becomes due. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { provider_id, page } = req.validatedQuery as AdminListGatewayRequestsType
  const viewer = await viewerOf(req)
  const read = await withGateway(req, res, provider_id, async ({ client, ...scope }) => {
    // The first page is requested without a number: a gateway need not have pages.
    const listed = await client.listPaymentRequests(page === 1 ? {} : { page })
    // A broken record may belong to a row. An id that could not be requested belongs to no row, and Postgres may refuse
    // it.
    const requests = [...listed.paymentRequests, ...listed.unreadable]
      .map(({ paymentRequestId, note }) => ({
        payment_request_id: paymentRequestId ?? "",
        note: sessionOfNote(note),
      }))
      .filter(({ payment_request_id }) => PAYMENT_REQUEST_ID_PATTERN.test(payment_request_id))
    return { ...listed, ours: await resolveLedger(req.scope).search.findListed(scope, requests) }
  })
  if (read === undefined) {
    return
  }
  const { paymentRequests, unreadable, pagination, ours } = read.result
  res.status(200).json({
    provider_id: read.provider_id,
    page,
    page_count: pagination.pageCount,
    page_size: pagination.pageSize,
    count: pagination.totalCount,
    gateway_requests: paymentRequests.map((listed) =>
      compareWithOurs(listed, viewer, ours.get(listed.paymentRequestId))
    ),
    unreadable: unreadable.map(({ paymentRequestId, fields }) => ({
      payment_request_id: paymentRequestId,
      fields,
      crypto_payment: toCryptoPayment(viewer, ours.get(paymentRequestId ?? "")),
    })),
  })
}

function compareWithOurs(
  listed: PaymentRequest,
  viewer: Viewer,
  ours: BesideRow | undefined
): Record<string, unknown> {
  if (ours === undefined) {
    return { ...toGatewayRecord(listed), crypto_payment: null, differences: [] }
  }
  return {
    ...toGatewayRecord(listed),
    crypto_payment: toCryptoPayment(viewer, ours),
    differences: [
      ...(MathBN.eq(listed.amount, ours.amount) ? [] : ["amount"]),
      ...(listed.currencySymbol.toLowerCase() === ours.currency_code ? [] : ["currency"]),
      ...((listed.paymentStatus === "PAID") === ours.is_paid ? [] : ["status"]),
    ],
  }
}

function toCryptoPayment({ orders }: Viewer, ours: BesideRow | undefined): Omit<BesideRow, "is_paid"> | null {
  if (ours === undefined) {
    return null
  }
  const { is_paid: _isPaid, ...crypto_payment } = ours
  return orders ? crypto_payment : { ...crypto_payment, order_id: null }
}
