import { InlineTip, toast } from "@medusajs/ui"
import { keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import type { Checked, CryptoPayment, CryptoPaymentDetail, CryptoPaymentList } from "../../http-contract"
import { latinDigits } from "../../modules/crypto-payments/latin-digits"
import { bodyOf, type Query } from "../shared/admin-api"
import { formatFiat } from "../shared/figures"
import { Choice, FormDrawer, FormField, TextField } from "../shared/form"
import { Actions } from "../shared/layout"
import { providerName } from "../shared/page"
import { HEALTH, JUST_NOW, PAYMENTS, usePaymentAction, useRead, useSubmit } from "../shared/queries"
import { Customer } from "../shared/values"
import { t, together } from "../shared/words"
import { gatewayCurrency, inCoin, likeliestStep, needsAttention } from "./payment"
import { isRefunded, PaymentAmount, RefundProgress } from "./payment-summary"
import { useDraft, UseDrawer } from "./use-for-order"

export const usePayments = (query: Query, options: object = {}) =>
  useRead<CryptoPaymentList>(PAYMENTS, "", query, { placeholderData: keepPreviousData, ...options })

export const ofAllPages = ({ limit: _limit, offset: _offset, order: _order, ...filter }: Query) => filter

/** Requested separately, so that the rows need not wait. */
export const usePaymentTotals = (query: Query) =>
  usePayments({ ...ofAllPages(query), limit: 1, totals: "true" })

/** Read again every minute, because the side bar shows it on every page. */
export const useOpenCases = (): number =>
  usePayments({ attention: "open", limit: 1 }, { refetchInterval: 60_000, retry: false }).data?.count ?? 0

/** @param live also ask the gateway, however slow it is @param offset newer entries of the timeline to leave out */
export function usePayment(id: string, live = false, offset = 0) {
  const query: Query = { ...(live ? {} : { live: "false" }), ...(offset > 0 ? { offset } : {}) }
  return useRead<{ crypto_payment: CryptoPaymentDetail }, CryptoPaymentDetail>(PAYMENTS, `/${id}`, query, {
    select: ({ crypto_payment }) => crypto_payment,
    // The page says that the gateway's record was just read. Our own row may be older while it is read again.
    ...(live ? JUST_NOW : { staleTime: 0 }),
  })
}

/** Where an order can be paid: on its lasting page, and at the gateway's link of the moment. */
type Address = "page" | "link"

/** Without permission or https there is no clipboard, whatever the type says: then the address is shown. */
async function copyAddress(of: Address, address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address)
    toast.success(t(`actions.copied.${of}`), { description: address })
  } catch {
    toast.info(t(`actions.copy.${of}`), { description: address })
  }
}

function sayChecked({ crypto_payment: payment, check: { gateway, changed } }: Checked): void {
  const { failure } = payment
  if (gateway === "not_asked" && (failure === "former_address" || failure === "provider_missing")) {
    toast.error(t("actions.checkNotAsked"), { description: t(`problems.${failure}`) })
  } else if (gateway === "not_asked") {
    toast.info(t("actions.checkNotAsked"), { description: t("actions.checkNotAskedHint") })
  } else if (gateway !== "read") {
    toast.error(t("actions.gatewayNotRead"), { description: t(`problems.${gateway}`) })
  } else if (needsAttention(payment)) {
    toast.warning(t("actions.checked"), { description: t("actions.checkedCase") })
  } else {
    toast.success(t("actions.checked"), { description: t(changed ? "actions.changed" : "actions.unchanged") })
  }
}

type ActionsProps = { payment: CryptoPayment; hasLink: boolean; isPrimary: boolean }

/** @param hasLink the order's pay page and payment link are offered here @param isPrimary of the first button */
export function PaymentActions({ payment, hasLink, isPrimary }: ActionsProps) {
  const { order_id: orderId, payment_request_id: requestId, gateway_status, state } = payment
  const [opened, setOpened] = useState<"resolve" | "refund" | "use" | null>(null)
  const { mutate, isPending: isLoading } = usePaymentAction<Checked>(`/${payment.id}/settle`, {
    done: sayChecked,
    failed: "actions.checkFailed",
    // A settle writes what it found, also when the capture or the order has to wait.
    changes: [PAYMENTS, HEALTH, "orders"],
  })
  const check = { step: "check", label: t("actions.check"), isLoading, onClick: () => mutate() }
  const draft = useDraft(payment)
  const copies = useCopies({ orderId: orderId ?? "" })
  const isOpen = needsAttention(payment)
  const isRefundable = gateway_status === "PAID" && state !== "refunded"
  const opens = (name: NonNullable<typeof opened>) => () => setOpened(name)
  const offered = [
    ...(hasLink ? copies : []),
    isRefundable && { step: "refund", label: t("actions.registerRefund"), onClick: opens("refund") },
    requestId !== null && check,
    payment.can_make_draft && { step: "draft", ...draft },
    payment.is_unused && { step: "use", label: t("actions.use"), onClick: opens("use") },
    isOpen && { step: "resolve", label: t("actions.resolve"), onClick: opens("resolve") },
  ].filter((offer) => offer !== false)
  const step = likeliestStep(payment)
  const leading = step === "link" && !hasLink ? "check" : step
  const all = offered.sort((a, b) => Number(b.step === leading) - Number(a.step === leading))
  const drawer = { payment, onClose: () => setOpened(null) }
  return (
    <>
      <Actions {...{ all, isPrimary }} />
      {opened === "use" && <UseDrawer {...drawer} />}
      {opened === "resolve" && <ResolveDrawer {...drawer} />}
      {opened === "refund" && <RefundDrawer {...drawer} />}
    </>
  )
}

/** @param providerId which the merchant chooses where the API cannot */
type CopiesProps = { orderId: string; providerId?: string }

export const CopyActions = ({ isPrimary = false, ...props }: CopiesProps & { isPrimary?: boolean }) => (
  <Actions all={useCopies(props)} isPrimary={isPrimary} />
)

/** The pay page first: it lasts, and the gateway's link is for what is owed at the moment. */
const useCopies = (props: CopiesProps) => [useCopy("page", props), useCopy("link", props)]

function useCopy(of: Address, { orderId, providerId: provider_id }: CopiesProps) {
  const path = `/orders/${orderId}/${of === "page" ? "pay-page" : "payment-link"}`
  const { mutate, ...run } = usePaymentAction<Partial<Record<string, string>>, object>(path, {
    of: provider_id,
    done: ({ url, payment_link: link = "" }) => void copyAddress(of, url ?? link),
    failed: `actions.copyFailed.${of}`,
  })
  const label = [t(`actions.copy.${of}`), provider_id && providerName(provider_id)].filter(Boolean).join(": ")
  return { ...run, step: "link", label, isLoading: run.isPending, onClick: () => mutate({ provider_id }) }
}

type PaymentFormProps = { payment: CryptoPayment; onClose: () => void }

function ResolveDrawer({ payment, onClose }: PaymentFormProps) {
  const [typed, setTyped] = useState("")
  // The page may be read again meanwhile: another case than this one stays open.
  const [attention_since] = useState(payment.attention_since)
  const note = typed.trim()
  // A case of before the payment says nothing of its money.
  const isOfMoney = payment.paid_at !== null && (attention_since ?? "") >= payment.paid_at
  const isUnsettled = isOfMoney && payment.settled_at === null
  const form = useSubmit(`/${payment.id}/resolve`, onClose, () => toast.success(t("resolve.done")))
  return (
    <FormDrawer
      {...form.drawer}
      title={t("resolve.title")}
      description={together([t("resolve.description"), isUnsettled && t("resolve.ofMoney")])}
      submitLabel={t("actions.resolve")}
      onSubmit={() => form.submit({ note, attention_since }, note !== "")}
    >
      <TextField
        label={t("resolve.note")}
        error={form.isTried && note === "" ? t("resolve.noteRequired") : undefined}
        rows={5}
        maxLength={1000}
        value={typed}
        placeholder={t("resolve.notePlaceholder")}
        onChange={setTyped}
      />
    </FormDrawer>
  )
}

/** Core's route, which a role without them may not read. */
type RefundReasons = { refund_reasons: { id: string; label: string }[] }

const AMOUNT = /^\d{1,20}(\.\d{1,2})?$/

function RefundDrawer({ payment, onClose }: PaymentFormProps) {
  const currency = gatewayCurrency(payment)
  const refundable = usePayment(payment.id).data?.refundable_amount ?? null
  const reasons = useRead<RefundReasons>("refund_reasons", "/admin/refund-reasons", { limit: 100 }, {})
  const choices = reasons.data?.refund_reasons.map(({ id: value, label }) => ({ value, label })) ?? []
  const [reason, setReason] = useState("")
  const [typed, setTyped] = useState({})
  const known = { description: t("refund.knownHint") }
  const form = useSubmit(`/${payment.id}/refunds`, onClose, ({ already_registered: isKnown }) =>
    isKnown ? toast.info(t("refund.known"), known) : toast.success(t("refund.done"))
  )
  const { code: refused = "" } = bodyOf(form.error)
  const refusal = (code: string) => (refused === code ? form.drawer.problem : undefined)
  const [ofAmount, ofReference] = [refusal("refund_too_large"), refusal("reference_used")]
  const isExcess = payment.attention_reason === "order_overpaid" && needsAttention(payment)
  const excess = isExcess && currency === payment.currency_code && Number(payment.attention_amount)
  const likely = excess && excess < Number(refundable) ? payment.attention_amount : refundable
  const shown = { amount: likely ?? "", reference: "", note: "", ...typed }
  const field = (name: keyof typeof shown) => ({
    value: shown[name],
    onChange: (changed: string) => {
      form.forgetRefusal()
      setTyped({ ...typed, [name]: changed })
    },
  })
  const amount = latinDigits(shown.amount).trim()
  const [reference, note] = [shown.reference.trim(), shown.note.trim()]
  const isAmountWrong = !AMOUNT.test(amount) || !/[1-9]/.test(amount)
  const coin = isAmountWrong ? null : inCoin(payment, amount)
  const hint = together([
    refundable && t("refund.amountHint", { amount: formatFiat(refundable, currency) }),
    coin && t("refund.inCoin", { amount: formatFiat(amount, currency), coin }),
  ])
  const wrongAmount = isAmountWrong && form.isTried && together([t("refund.amountInvalid"), hint])
  const { order_display_id: number, customer } = payment
  const described = (
    <>
      <PaymentAmount payment={payment} />
      {number !== null && [" · ", <bdi key="number">#{number}</bdi>]}
      {/* Another tab: what was typed stays. */}
      {customer !== null && <Customer customer={customer} target="_blank" />}
      {isRefunded(payment) && <RefundProgress payment={payment} />}
    </>
  )
  const optional = (name: string) => `${t(name)} ${t("refund.optional")}`
  const input = { amount, reference, note: note || undefined, refund_reason_id: reason || undefined }
  return (
    <FormDrawer
      {...form.drawer}
      problem={(ofAmount ?? ofReference) === undefined ? form.drawer.problem : undefined}
      title={t("refund.title")}
      description={described}
      submitLabel={t("actions.registerRefund")}
      onSubmit={() => form.submit(input, !isAmountWrong && reference !== "")}
    >
      <InlineTip label={t("widget.title")} variant="warning">
        {t("refund.explain")} {payment.order_id !== null && t("refund.explainOrder")}
      </InlineTip>
      <TextField
        label={`${t("common.amount")} (${currency.toUpperCase()})`}
        hint={hint}
        error={wrongAmount || ofAmount}
        dir="ltr"
        inputMode="decimal"
        // All that is left is suggested; typing replaces it.
        onFocus={({ currentTarget }) => currentTarget.select()}
        {...field("amount")}
      />
      <TextField
        label={t("refund.reference")}
        hint={t("refund.referenceHint")}
        error={form.isTried && reference === "" ? t("refund.referenceRequired") : ofReference}
        maxLength={1000}
        {...field("reference")}
      />
      {choices.length > 0 && (
        <FormField label={optional("refund.reason")}>
          {(control) => <Choice {...control} value={reason} onChange={setReason} options={choices} />}
        </FormField>
      )}
      <TextField label={optional("common.note")} rows={2} maxLength={1000} {...field("note")} />
    </FormDrawer>
  )
}
