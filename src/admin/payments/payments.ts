import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"
import { get, post, type Query } from "../shared/admin-api"
import { JUST_NOW, useAction } from "../shared/queries"
import type { CheckResult, CryptoPayment, CryptoPaymentDetail, CryptoPaymentList } from "../../http-contract"

const PAYMENTS = "crypto-payments"
const COUNT_INTERVAL_MS = 60_000

/** A page of the ledger; the page before stays while the next one loads. */
export function usePayments(query: Query) {
  return useQuery({
    queryKey: [PAYMENTS, "list", query],
    queryFn: async () => await get<CryptoPaymentList>("", query),
    placeholderData: keepPreviousData,
  })
}

/** The totals of all rows of a filter; requested separately, so that the rows need not wait. */
export function usePaymentTotals({ limit: _limit, offset: _offset, order: _order, ...filter }: Query) {
  return useQuery({
    queryKey: [PAYMENTS, "list", "totals", filter],
    queryFn: async () => await get<CryptoPaymentList>("", { ...filter, limit: 1, totals: "true" }),
    placeholderData: keepPreviousData,
  })
}

/** How many cases are open; asked again every minute, because the side bar shows it on every page. */
export function useOpenCases(): number {
  const { data } = useQuery({
    queryKey: [PAYMENTS, "list", "open-cases"],
    queryFn: async () => await get<CryptoPaymentList>("", { attention: "open", limit: 1 }),
    refetchInterval: COUNT_INTERVAL_MS,
    retry: false,
  })
  return data?.count ?? 0
}

/** What belongs to an order. */
export function usePaymentsOfOrder(orderId: string) {
  return usePayments({ order_id: orderId, order: "created_at", limit: 200 })
}

/** @param live also ask the gateway, which takes as long as the gateway takes */
export function usePayment(id: string, live: boolean) {
  return useQuery({
    queryKey: [PAYMENTS, "detail", id, { live }],
    queryFn: async () =>
      (await get<{ crypto_payment: CryptoPaymentDetail }>(`/${id}`, live ? {} : { live: "false" }))
        .crypto_payment,
    // The gateway's record is called read just now. The ledger's own may be shown from before, while it is read anew.
    ...(live ? JUST_NOW : { staleTime: 0 }),
  })
}

/** Everything the ledger shows may have changed: the row, its lists, the order page's payments and its timeline. */
function useInvalidation() {
  const client = useQueryClient()
  return () => {
    void client.invalidateQueries({ queryKey: [PAYMENTS] })
    void client.invalidateQueries({ queryKey: ["orders"] })
  }
}

interface Changed {
  crypto_payment: CryptoPayment
  /** Of a refund: it was there before, and nothing was changed. */
  already_registered?: boolean
}

export function useCheckNow(id: string) {
  const onSuccess = useInvalidation()
  return useAction({
    mutationKey: [PAYMENTS, "check", id],
    mutationFn: async () => await post<Changed & { check: CheckResult }>(`/${id}/settle`),
    onSuccess,
  })
}

/** The open link of an unpaid order, or a new one. */
export function usePaymentLink(id: string) {
  const onSuccess = useInvalidation()
  return useAction({
    mutationKey: [PAYMENTS, "payment-link", id],
    mutationFn: async () => (await post<{ payment_link: string }>(`/${id}/payment-link`)).payment_link,
    onSuccess,
  })
}

export function useResolve(id: string) {
  const onSuccess = useInvalidation()
  return useAction({
    mutationKey: [PAYMENTS, "resolve", id],
    mutationFn: async (note: string) => await post<Changed>(`/${id}/resolve`, { note }),
    onSuccess,
  })
}

export interface RefundInput {
  amount: string
  reference: string
  note?: string
}

export function useRegisterRefund(id: string) {
  const onSuccess = useInvalidation()
  return useAction({
    mutationKey: [PAYMENTS, "refund", id],
    mutationFn: async (input: RefundInput) => await post<Changed>(`/${id}/refunds`, input),
    onSuccess,
  })
}
