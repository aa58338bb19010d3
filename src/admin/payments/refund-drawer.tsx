import { InlineTip, Textarea, toast } from "@medusajs/ui"
import { Fragment, useState } from "react"
import { usePayment, usePaymentAction } from "./payments"
import { FormDrawer, FormField, InputField, useFormToast } from "../shared/form"
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

/** Refusals of the API that are shown next to their field. */
const OF_AMOUNT = "refund_too_large"
const OF_REFERENCE = "reference_used"

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
  const refusal = (code: string) =>
    error instanceof AdminApiError && error.code === code ? apiMessage(error, t) : undefined
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
        if (!(refused instanceof AdminApiError && [OF_AMOUNT, OF_REFERENCE].includes(refused.code ?? ""))) {
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
      <InputField
        label={`${t("refund.amount")} (${currency.toUpperCase()})`}
        hint={
          refundable === null
            ? undefined
            : t("refund.amountHint", { amount: formatFiat(refundable, currency) })
        }
        error={isTried && isAmountWrong ? t("refund.amountInvalid") : refusal(OF_AMOUNT)}
        dir="ltr"
        inputMode="decimal"
        value={typedAmount ?? refundable ?? ""}
        onChange={(typed) => {
          reset()
          setAmount(typed)
        }}
      />
      <InputField
        label={t("refund.reference")}
        hint={t("refund.referenceHint")}
        error={isTried && isReferenceMissing ? t("refund.referenceRequired") : refusal(OF_REFERENCE)}
        maxLength={1000}
        value={reference}
        onChange={(typed) => {
          reset()
          setReference(typed)
        }}
      />
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
