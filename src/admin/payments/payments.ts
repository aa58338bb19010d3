import { keepPreviousData, useQueryClient } from "@tanstack/react-query"
import type { CryptoPaymentDetail, CryptoPaymentList } from "../../http-contract"
import type { Query } from "../shared/admin-api"
import { JUST_NOW, type Said, useAction, useRead } from "../shared/queries"

const PAYMENTS = "crypto-payments"
const COUNT_INTERVAL_MS = 60_000

/** A page of the ledger; the page before stays while the next one loads. */
export function usePayments(query: Query) {
  return useRead<CryptoPaymentList>(PAYMENTS, "", query, { placeholderData: keepPreviousData })
}

/** The filter of a page's query. */
export const ofAllPages = ({ limit: _limit, offset: _offset, order: _order, ...filter }: Query): Query =>
  filter

/** The totals of all rows of a filter; requested separately, so that the rows need not wait. */
export function usePaymentTotals(query: Query) {
  return usePayments({ ...ofAllPages(query), limit: 1, totals: "true" })
}

/** How many cases are open; asked again every minute, because the side bar shows it on every page. */
export function useOpenCases(): number {
  const query = { attention: "open", limit: 1 }
  const options = { refetchInterval: COUNT_INTERVAL_MS, retry: false }
  return useRead<CryptoPaymentList>(PAYMENTS, "", query, options).data?.count ?? 0
}

/** @param live also ask the gateway, which takes as long as the gateway takes */
export function usePayment(id: string, live = false) {
  const query: Query = live ? {} : { live: "false" }
  return useRead<{ crypto_payment: CryptoPaymentDetail }, CryptoPaymentDetail>(PAYMENTS, `/${id}`, query, {
    select: ({ crypto_payment }) => crypto_payment,
    // The gateway's record is called read just now. The ledger's own may be shown from before, while it is read anew.
    ...(live ? JUST_NOW : { staleTime: 0 }),
  })
}

/** Does something about a payment or its order: the row, its lists, the order page's payments and its timeline may change. */
export function usePaymentAction<Answer, Input = void>(path: string, said: Said<Answer, Input>) {
  const client = useQueryClient()
  return useAction<Answer, Input>(path, {
    ...said,
    // Not after a refusal: a case that somebody else resolved would leave the list, and the open form with it.
    onSuccess: () =>
      [PAYMENTS, "orders"].forEach((key) => void client.invalidateQueries({ queryKey: [key] })),
  })
}
