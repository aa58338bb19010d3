import { InlineTip, toast } from "@medusajs/ui"
import { Fragment, useState } from "react"
import type { CryptoPayment } from "../../http-contract"
import { AdminApiError, apiMessage } from "../shared/admin-api"
import { formatFiat, latinDigits } from "../shared/figures"
import { FormDrawer, TextField, useFormToast } from "../shared/form"
import { useWords } from "../shared/words"
import { gatewayCurrency } from "./payment"
import { isRefunded, PaymentAmount, RefundProgress } from "./payment-summary"
import { usePayment, usePaymentAction } from "./payments"

interface PaymentFormProps {
  payment: CryptoPayment
  onClose: () => void
}

/** Closes a case of the attention list, with what was done about it. */
export function ResolveDrawer({ payment, onClose }: PaymentFormProps) {
  const t = useWords()
  const formToast = useFormToast()
  const [note, setNote] = useState("")
  const [isTried, setTried] = useState(false)
  const { mutate, isPending } = usePaymentAction<unknown, { note: string }>(payment.id, "resolve", {
    done: () => {
      toast.success(t("resolve.done"))
      onClose()
    },
    failed: (error) => formToast.fail(t("resolve.failed"), apiMessage(error, t)),
  })
  const isMissing = note.trim() === ""
  const submit = () => {
    formToast.clear()
    setTried(true)
    if (!isMissing) {
      mutate({ note: note.trim() })
    }
  }
  return (
    <FormDrawer
      onClose={onClose}
      title={t("resolve.title")}
      description={t("resolve.description")}
      submitLabel={t("actions.resolve")}
      isSubmitting={isPending}
      onSubmit={submit}
    >
      <TextField
        label={t("resolve.note")}
        error={isTried && isMissing ? t("resolve.noteRequired") : undefined}
        rows={5}
        maxLength={1000}
        value={note}
        placeholder={t("resolve.notePlaceholder")}
        onChange={setNote}
      />
    </FormDrawer>
  )
}

interface RefundInput {
  amount: string
  reference: string
  note?: string
}

interface Registered {
  /** It was there before, and nothing was changed. */
  already_registered?: boolean
}

const AMOUNT = /^\d{1,20}(\.\d{1,2})?$/

/** Refusals of the API that are shown next to their field. */
const OF_AMOUNT = "refund_too_large"
const OF_REFERENCE = "reference_used"

/** Registers a refund in Medusa that was made in the gateway's dashboard. */
export function RefundDrawer({ payment, onClose }: PaymentFormProps) {
  const t = useWords()
  const formToast = useFormToast()
  const currency = gatewayCurrency(payment)
  const refundable = usePayment(payment.id).data?.refundable_amount ?? null
  const [typed, setTyped] = useState<{ amount?: string; reference: string; note: string }>({
    reference: "",
    note: "",
  })
  const [isTried, setTried] = useState(false)
  const action = usePaymentAction<Registered, RefundInput>(payment.id, "refunds", {
    done: ({ already_registered: isKnown }) => {
      if (isKnown) {
        toast.info(t("refund.known"), { description: t("refund.knownHint") })
      } else {
        toast.success(t("refund.done"))
      }
      onClose()
    },
    failed: (error) => {
      if (![OF_AMOUNT, OF_REFERENCE].includes(codeOf(error))) {
        formToast.fail(t("refund.failed"), apiMessage(error, t))
      }
    },
  })
  const { error } = action
  const refusal = (code: string) => (error && codeOf(error) === code ? apiMessage(error, t) : undefined)
  /** What was refused is another amount, or another reference. */
  const type = (changed: Partial<RefundInput>) => {
    action.reset()
    setTyped({ ...typed, ...changed })
  }
  const shownAmount = typed.amount ?? refundable ?? ""
  const amount = latinDigits(shownAmount).trim()
  const reference = typed.reference.trim()
  const note = typed.note.trim()
  const isAmountWrong = !AMOUNT.test(amount) || !/[1-9]/.test(amount)
  const submit = () => {
    formToast.clear()
    setTried(true)
    if (!isAmountWrong && reference !== "") {
      action.mutate({ amount, reference, ...(note !== "" && { note }) })
    }
  }
  return (
    <FormDrawer
      onClose={onClose}
      title={t("refund.title")}
      description={<Refunded payment={payment} />}
      submitLabel={t("actions.registerRefund")}
      isSubmitting={action.isPending}
      onSubmit={submit}
    >
      <InlineTip label={t("widget.title")} variant="warning">
        {t("refund.explain")} {payment.order_id !== null && t("refund.explainOrder")}
      </InlineTip>
      <TextField
        label={`${t("refund.amount")} (${currency.toUpperCase()})`}
        hint={refundable && t("refund.amountHint", { amount: formatFiat(refundable, currency) })}
        error={isTried && isAmountWrong ? t("refund.amountInvalid") : refusal(OF_AMOUNT)}
        dir="ltr"
        inputMode="decimal"
        value={shownAmount}
        onChange={(changed) => type({ amount: changed })}
      />
      <TextField
        label={t("refund.reference")}
        hint={t("refund.referenceHint")}
        error={isTried && reference === "" ? t("refund.referenceRequired") : refusal(OF_REFERENCE)}
        maxLength={1000}
        value={typed.reference}
        onChange={(changed) => type({ reference: changed })}
      />
      <TextField
        label={t("refund.note")}
        optional={t("refund.optional")}
        rows={2}
        maxLength={1000}
        value={typed.note}
        onChange={(changed) => setTyped({ ...typed, note: changed })}
      />
    </FormDrawer>
  )
}

function codeOf(error: Error): string {
  return (error instanceof AdminApiError && error.body.code) || ""
}

/** Which payment, whose, and how much of it went back before. */
function Refunded({ payment }: { payment: CryptoPayment }) {
  const { order_display_id: number, customer } = payment
  const order = number === null ? null : `#${String(number)}`
  const name = [customer?.name, customer?.email].filter(Boolean).join(", ")
  return (
    <>
      <PaymentAmount payment={payment} />
      {[order, name].filter(Boolean).map((text) => (
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
