import { keepPreviousData, useQueryClient } from "@tanstack/react-query"
import type { CryptoPaymentDetail, CryptoPaymentList } from "../../http-contract"
import type { Query } from "../shared/admin-api"
import { JUST_NOW, type Said, useAction, useRead } from "../shared/queries"

/** The first part of the keys of all queries of payments. */
export const PAYMENTS = "crypto-payments"

export const usePayments = (query: Query) =>
  useRead<CryptoPaymentList>(PAYMENTS, "", query, { placeholderData: keepPreviousData })

export const ofAllPages = ({ limit: _limit, offset: _offset, order: _order, ...filter }: Query): Query =>
  filter

/** Requested separately, so that the rows need not wait. */
export const usePaymentTotals = (query: Query) =>
  usePayments({ ...ofAllPages(query), limit: 1, totals: "true" })

/** Read again every minute, because the side bar shows it on every page. */
export function useOpenCases(): number {
  const query = { attention: "open", limit: 1 }
  const options = { refetchInterval: 60_000, retry: false }
  return useRead<CryptoPaymentList>(PAYMENTS, "", query, options).data?.count ?? 0
}

/** @param live also ask the gateway, however slow it is */
export function usePayment(id: string, live = false) {
  const query: Query = live ? {} : { live: "false" }
  return useRead<{ crypto_payment: CryptoPaymentDetail }, CryptoPaymentDetail>(PAYMENTS, `/${id}`, query, {
    select: ({ crypto_payment }) => crypto_payment,
    // The page says that the gateway's record was just read. Our own row may be older while it is read again.
    ...(live ? JUST_NOW : { staleTime: 0 }),
  })
}

/** An action on a payment or its order: reads again what may change by it, such as lists, order page and timeline. */
export function usePaymentAction<Answer, Input = void>(path: string, said: Said<Answer, Input>) {
  const client = useQueryClient()
  return useAction<Answer, Input>(path, {
    ...said,
    // Not after a refusal: a case that somebody else resolved would leave the list, and the open form with it.
    onSuccess: () =>
      [PAYMENTS, "orders"].forEach((key) => void client.invalidateQueries({ queryKey: [key] })),
  })
}
