import { MathBN } from "@medusajs/framework/utils"
import { PAYMENT_REQUEST_ID_PATTERN } from "../../../../gateway"
import { answer, toGatewayRecord, viewerOf, withGateway, type Asking } from "../respond"
import type { AdminListGatewayRequests } from "../validators"

/** A page of the gateway's own list with our rows. Reads only: nothing becomes due. */
export const GET = answer(async (req: Asking<typeof AdminListGatewayRequests>, ledger) => {
  const { provider_id: asked, page } = req.validatedQuery
  const viewer = await viewerOf(req)
  const found = await withGateway(req.scope, asked, async (client, scope) => {
    // The first page is requested without a number, because a gateway may have no pages.
    const listed = await client.listPaymentRequests(page === 1 ? {} : { page })
    // A broken record may belong to a row. An id that no request can have belongs to none, and Postgres may refuse it.
    const ids = [...listed.paymentRequests, ...listed.unreadable]
      .map(({ paymentRequestId }) => paymentRequestId ?? "")
      .filter((id) => PAYMENT_REQUEST_ID_PATTERN.test(id))
    return { ...listed, ours: await ledger.shown.findListed(scope, ids, viewer) }
  })
  const { provider_id, paymentRequests, unreadable, pagination, ours } = found
  return {
    provider_id,
    page,
    page_count: pagination.pageCount,
    page_size: pagination.pageSize,
    count: pagination.totalCount,
    gateway_requests: paymentRequests.map((listed) => {
      const { shown, is_paid } = ours.get(listed.paymentRequestId) ?? {}
      const isSame = {
        amount: shown === undefined || MathBN.eq(listed.amount, shown.amount),
        currency: shown === undefined || listed.currencySymbol.toLowerCase() === shown.currency_code,
        status: is_paid === undefined || (listed.paymentStatus === "PAID") === is_paid,
      }
      return {
        ...toGatewayRecord(listed),
        crypto_payment: shown ?? null,
        differences: Object.entries(isSame).flatMap(([field, same]) => (same ? [] : [field])),
      }
    }),
    unreadable: unreadable.map(({ paymentRequestId, fields }) => ({
      payment_request_id: paymentRequestId,
      fields,
      crypto_payment: ours.get(paymentRequestId ?? "")?.shown ?? null,
    })),
  }
})
