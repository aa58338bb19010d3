import { Button, Textarea, toast } from "@medusajs/ui"
import { useState } from "react"
import { Link } from "react-router-dom"
import { usePaymentAction } from "./payments"
import { useWords, type Words } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import type { CheckResult, CryptoPayment } from "../../http-contract"
import { needsAttention } from "./payment"
import { RefundDrawer } from "./refund-drawer"
import { FormDrawer, FormField, useFormToast } from "../shared/form"

/** Orders can be placed before they are paid, or be paid in part; the merchant can send a link for what is owed. */
function isOrderUnpaid(payment: CryptoPayment): boolean {
  const { order_id: orderId, gateway_status: status, state, attention_reason: reason } = payment
  const isOpen = status !== "PAID" && state === "open"
  return orderId !== null && (isOpen || (reason === "order_underpaid" && needsAttention(payment)))
}

/** Without permission or https there is no clipboard, whatever the type says: then it can be copied by hand. */
async function copyLink(link: string, t: Words): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast.success(t("actions.linkCopied"), { description: link })
  } catch {
    toast.info(t("actions.copyLink"), { description: link })
  }
}

function CopyLinkButton({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { mutate, isPending } = usePaymentAction<{ payment_link: string }>(payment.id, "payment-link")
  const copy = () =>
    mutate(undefined, {
      onSuccess: ({ payment_link: link }) => void copyLink(link, t),
      onError: (error) => toast.error(t("actions.linkFailed"), { description: apiMessage(error, t) }),
    })
  return (
    <Button size="small" variant="secondary" isLoading={isPending} onClick={copy}>
      {t("actions.copyLink")}
    </Button>
  )
}

interface Checked {
  crypto_payment: CryptoPayment
  check: CheckResult
}

/** Says what happened, which need not be a success. */
function sayChecked({ crypto_payment: payment, check: { gateway, changed } }: Checked, t: Words): void {
  if (gateway === "not_asked") {
    toast.info(t("actions.checkNotAsked"), { description: t("actions.checkNotAskedHint") })
  } else if (gateway !== "read") {
    toast.error(t("actions.gatewayNotRead"), { description: t(`problems.${gateway}`) })
  } else if (needsAttention(payment)) {
    toast.warning(t("actions.checked"), { description: t("actions.checkedCase") })
  } else {
    toast.success(t("actions.checked"), { description: t(changed ? "actions.changed" : "actions.unchanged") })
  }
}

interface PaymentActionsProps {
  payment: CryptoPayment
  /** Words of a link to the payment's own page. */
  details?: string
}

/** What can be done about a payment: check now; resolve, with a case open; register a refund, once money came. */
export function PaymentActions({ payment, details }: PaymentActionsProps) {
  const t = useWords()
  const [opened, setOpened] = useState<"resolve" | "refund" | null>(null)
  const { mutate: check, isPending: isChecking } = usePaymentAction<Checked>(payment.id, "settle")
  const close = () => setOpened(null)

  const checkNow = () =>
    check(undefined, {
      onSuccess: (checked) => sayChecked(checked, t),
      onError: (error) => toast.error(t("actions.checkFailed"), { description: apiMessage(error, t) }),
    })
  return (
    <div className="flex flex-wrap gap-2">
      {details !== undefined && (
        <Button size="small" variant="secondary" asChild>
          <Link to={`/crypto-payments/${payment.id}`}>{details}</Link>
        </Button>
      )}
      {payment.payment_request_id !== null && (
        <Button size="small" variant="secondary" isLoading={isChecking} onClick={checkNow}>
          {t("actions.check")}
        </Button>
      )}
      {isOrderUnpaid(payment) && <CopyLinkButton payment={payment} />}
      {needsAttention(payment) && (
        <Button size="small" variant="secondary" onClick={() => setOpened("resolve")}>
          {t("actions.resolve")}
        </Button>
      )}
      {payment.gateway_status === "PAID" && payment.state !== "refunded" && (
        <Button size="small" variant="secondary" onClick={() => setOpened("refund")}>
          {t("actions.registerRefund")}
        </Button>
      )}
      {opened === "resolve" && <ResolveDrawer payment={payment} onClose={close} />}
      {opened === "refund" && <RefundDrawer payment={payment} onClose={close} />}
    </div>
  )
}

/** Closes a case of the attention list, with what was done about it. */
function ResolveDrawer({ payment, onClose }: { payment: CryptoPayment; onClose: () => void }) {
  const t = useWords()
  const formToast = useFormToast()
  const [note, setNote] = useState("")
  const [isTried, setTried] = useState(false)
  const { mutate, isPending } = usePaymentAction<unknown, { note: string }>(payment.id, "resolve")
  const isMissing = note.trim() === ""

  const submit = () => {
    formToast.clear()
    setTried(true)
    if (isMissing) {
      return
    }
    mutate(
      { note: note.trim() },
      {
        onSuccess: () => {
          toast.success(t("resolve.done"))
          onClose()
        },
        onError: (error) => formToast.fail(t("resolve.failed"), apiMessage(error, t)),
      }
    )
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
      <FormField
        label={t("resolve.note")}
        error={isTried && isMissing ? t("resolve.noteRequired") : undefined}
      >
        {(control) => (
          <Textarea
            {...control}
            rows={5}
            maxLength={1000}
            value={note}
            placeholder={t("resolve.notePlaceholder")}
            onChange={({ target }) => setNote(target.value)}
          />
        )}
      </FormField>
    </FormDrawer>
  )
}
