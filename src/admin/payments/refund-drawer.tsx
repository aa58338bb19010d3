import { InlineTip, Input, Textarea, toast } from "@medusajs/ui"
import { Fragment, useState } from "react"
import { usePayment, usePaymentAction } from "./payments"
import { FormDrawer, FormField, useFormToast } from "../shared/form"
import { useWords } from "../shared/words"
import { AdminApiError, apiMessage } from "../shared/admin-api"
import type { CryptoPayment } from "../../http-contract"
import { formatFiat, latinDigits } from "../shared/figures"
import { gatewayCurrency } from "./payment"
import { isRefunded, PaymentAmount, RefundProgress } from "./payment-summary"

interface RefundInput {
  amount: string
  reference: string
  note?: string
}

const AMOUNT = /^\d{1,20}(\.\d{1,2})?$/

/** Which field a refusal of the API is about. */
const FIELD_OF: Record<string, "amount" | "reference" | undefined> = {
  refund_too_large: "amount",
  reference_used: "reference",
}

/** Registers a refund in Medusa that was made in the gateway's dashboard. */
export function RefundDrawer({ payment, onClose }: { payment: CryptoPayment; onClose: () => void }) {
  const t = useWords()
  const formToast = useFormToast()
  const currency = gatewayCurrency(payment)
  const refundable = usePayment(payment.id, false).data?.refundable_amount ?? null
  const [typedAmount, setAmount] = useState<string | null>(null)
  const amount = latinDigits(typedAmount ?? refundable ?? "").trim()
  const [reference, setReference] = useState("")
  const [note, setNote] = useState("")
  const [isTried, setTried] = useState(false)
  const { mutate, isPending, error, reset } = usePaymentAction<
    // It was there before, and nothing was changed.
    { already_registered?: boolean },
    RefundInput
  >(payment.id, "refunds")
  const refusedField = error instanceof AdminApiError ? FIELD_OF[error.code ?? ""] : undefined
  const refusal = (field: string) =>
    refusedField === field && error !== null ? apiMessage(error, t) : undefined

  const isAmountWrong = !AMOUNT.test(amount) || !/[1-9]/.test(amount)
  const isReferenceMissing = reference.trim() === ""
  const submit = () => {
    formToast.clear()
    setTried(true)
    if (isAmountWrong || isReferenceMissing) {
      return
    }
    const input = { amount, reference: reference.trim() }
    mutate(note.trim() === "" ? input : { ...input, note: note.trim() }, {
      onSuccess: ({ already_registered: isKnown }) => {
        if (isKnown) {
          toast.info(t("refund.known"), { description: t("refund.knownHint") })
        } else {
          toast.success(t("refund.done"))
        }
        onClose()
      },
      onError: (refused) => {
        if (!(refused instanceof AdminApiError) || FIELD_OF[refused.code ?? ""] === undefined) {
          formToast.fail(t("refund.failed"), apiMessage(refused, t))
        }
      },
    })
  }
  return (
    <FormDrawer
      onClose={onClose}
      title={t("refund.title")}
      description={<Refunded payment={payment} />}
      submitLabel={t("actions.registerRefund")}
      isSubmitting={isPending}
      onSubmit={submit}
    >
      <InlineTip label={t("widget.title")} variant="warning">
        {t("refund.explain")} {payment.order_id !== null && t("refund.explainOrder")}
      </InlineTip>
      <FormField
        label={`${t("refund.amount")} (${currency.toUpperCase()})`}
        hint={
          refundable === null
            ? undefined
            : t("refund.amountHint", { amount: formatFiat(refundable, currency) })
        }
        error={isTried && isAmountWrong ? t("refund.amountInvalid") : refusal("amount")}
      >
        {(control) => (
          <Input
            {...control}
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            value={typedAmount ?? refundable ?? ""}
            onChange={({ target }) => {
              reset()
              setAmount(target.value)
            }}
          />
        )}
      </FormField>
      <FormField
        label={t("refund.reference")}
        hint={t("refund.referenceHint")}
        error={isTried && isReferenceMissing ? t("refund.referenceRequired") : refusal("reference")}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={1000}
            value={reference}
            onChange={({ target }) => {
              reset()
              setReference(target.value)
            }}
          />
        )}
      </FormField>
      <FormField label={t("refund.note")} optional={t("refund.optional")}>
        {(control) => (
          <Textarea
            {...control}
            maxLength={1000}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </FormField>
    </FormDrawer>
  )
}

/** Which payment, whose, and how much of it went back before. */
function Refunded({ payment }: { payment: CryptoPayment }) {
  const { order_display_id: number, customer } = payment
  const name = customer === null ? null : [customer.name, customer.email].filter(Boolean).join(", ")
  return (
    <>
      <PaymentAmount payment={payment} />
      {[number === null ? null : `#${String(number)}`, name].filter(Boolean).map((text) => (
        <Fragment key={text}>
          {" · "}
          <bdi>{text}</bdi>
        </Fragment>
      ))}
      {isRefunded(payment) && (
        <span className="block">
          <RefundProgress payment={payment} />
        </span>
      )}
    </>
  )
}
