import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"
import { MathBN } from "@medusajs/framework/utils"
import { PAYMENT_REQUEST_ID_PATTERN, type PaymentRequest } from "../../../../gateway"
import { sessionOfNote } from "../../../../modules/crypto-payments/reconciliation/match-listed"
import type { BesideRow } from "../../../../modules/crypto-payments/reports/search"
import { resolveLedger, toGatewayRecord, withGateway } from "../respond"
import type { AdminListGatewayRequestsType } from "../validators"

/** A page of the gateway's own list with our rows beside it. Looks only: nothing becomes due. */
export async function GET(req: AuthenticatedMedusaRequest, res: MedusaResponse): Promise<void> {
  const { provider_id, page } = req.validatedQuery as AdminListGatewayRequestsType
  const read = await withGateway(req, res, provider_id, async ({ client, ...scope }) => {
    // The first page is asked for without a number: a gateway need not have pages.
    const listed = await client.listPaymentRequests(page === 1 ? {} : { page })
    // A broken record may be of ours. What could not be asked for is nobody's row, and may be a text Postgres refuses.
    const requests = [...listed.paymentRequests, ...listed.unreadable]
      .map(({ paymentRequestId, note }) => ({
        payment_request_id: paymentRequestId ?? "",
        note: sessionOfNote(note),
      }))
      .filter(({ payment_request_id }) => PAYMENT_REQUEST_ID_PATTERN.test(payment_request_id))
    return { ...listed, ours: await resolveLedger(req).search.findListed(scope, requests) }
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
    gateway_requests: paymentRequests.map((listed) => beside(listed, ours.get(listed.paymentRequestId))),
    unreadable: unreadable.map(({ paymentRequestId, fields }) => ({
      payment_request_id: paymentRequestId,
      fields,
      crypto_payment: toCryptoPayment(ours.get(paymentRequestId ?? "")),
    })),
  })
}

function beside(listed: PaymentRequest, ours: BesideRow | undefined): Record<string, unknown> {
  if (ours === undefined) {
    return { ...toGatewayRecord(listed), crypto_payment: null, differences: [] }
  }
  return {
    ...toGatewayRecord(listed),
    crypto_payment: toCryptoPayment(ours),
    differences: [
      ...(MathBN.eq(listed.amount, ours.amount) ? [] : ["amount"]),
      ...(listed.currencySymbol.toLowerCase() === ours.currency_code ? [] : ["currency"]),
      ...((listed.paymentStatus === "PAID") === ours.is_paid ? [] : ["status"]),
    ],
  }
}

function toCryptoPayment(ours: BesideRow | undefined): Omit<BesideRow, "is_paid"> | null {
  if (ours === undefined) {
    return null
  }
  const { is_paid: _isPaid, ...crypto_payment } = ours
  return crypto_payment
}
