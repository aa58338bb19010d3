import { InlineTip, Input, Textarea, toast } from "@medusajs/ui"
import { useState } from "react"
import { usePayment, useRegisterRefund } from "../hooks/payments"
import { useWords } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import type { CryptoPayment } from "../lib/contract"
import { formatFiat } from "../lib/format-amount"
import { gatewayCurrency } from "../lib/paid-amount"
import { FormDrawer } from "./form-drawer"
import { FormField } from "./form-field"

interface RefundDrawerProps {
  payment: CryptoPayment
  open: boolean
  onOpenChange: (open: boolean) => void
}

const AMOUNT = /^\d{1,20}(\.\d{1,2})?$/

/** Tells Medusa of a refund that was made in the gateway's dashboard. */
export function RefundDrawer({ payment, open, onOpenChange }: RefundDrawerProps) {
  const t = useWords()
  const currency = gatewayCurrency(payment)
  const refundable = usePayment(payment.id, false).data?.refundable_amount ?? null
  const [typedAmount, setAmount] = useState<string | null>(null)
  const amount = typedAmount ?? refundable ?? ""
  const [reference, setReference] = useState("")
  const [note, setNote] = useState("")
  const [isTried, setTried] = useState(false)
  const { mutate, isPending } = useRegisterRefund(payment.id)

  const isAmountWrong = !AMOUNT.test(amount.trim()) || !/[1-9]/.test(amount)
  const isReferenceMissing = reference.trim() === ""
  const submit = () => {
    setTried(true)
    if (isAmountWrong || isReferenceMissing) {
      return
    }
    const input = { amount: amount.trim(), reference: reference.trim() }
    mutate(note.trim() === "" ? input : { ...input, note: note.trim() }, {
      onSuccess: () => {
        toast.success(t("refund.done"))
        onOpenChange(false)
      },
      onError: (error) => toast.error(t("refund.failed"), { description: apiMessage(error, t) }),
    })
  }
  return (
    <FormDrawer
      open={open}
      onOpenChange={onOpenChange}
      title={t("refund.title")}
      submitLabel={t("actions.registerRefund")}
      isSubmitting={isPending}
      onSubmit={submit}
    >
      <InlineTip label={t("widget.title")} variant="warning">
        {t("refund.explain")}
      </InlineTip>
      <FormField
        label={`${t("refund.amount")} (${currency.toUpperCase()})`}
        hint={
          refundable === null
            ? undefined
            : t("refund.amountHint", { amount: formatFiat(refundable, currency) })
        }
        error={isTried && isAmountWrong ? t("refund.amountInvalid") : undefined}
      >
        {(control) => (
          <Input
            {...control}
            dir="ltr"
            inputMode="decimal"
            autoComplete="off"
            value={amount}
            onChange={({ target }) => setAmount(target.value)}
          />
        )}
      </FormField>
      <FormField
        label={t("refund.reference")}
        hint={t("refund.referenceHint")}
        error={isTried && isReferenceMissing ? t("refund.referenceRequired") : undefined}
      >
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            maxLength={1000}
            value={reference}
            onChange={({ target }) => setReference(target.value)}
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
