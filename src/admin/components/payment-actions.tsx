import { Button, toast } from "@medusajs/ui"
import { useState } from "react"
import { useCheckNow, usePaymentLink } from "../hooks/payments"
import { useWords } from "../hooks/words"
import { apiMessage } from "../lib/api-message"
import type { CryptoPayment } from "../lib/contract"
import { RefundDrawer } from "./refund-drawer"
import { ResolveDrawer } from "./resolve-drawer"

/** A case stands on the attention list until somebody resolves it. */
export function needsAttention(payment: CryptoPayment): boolean {
  return payment.attention_reason !== null && payment.attention_resolved_at === null
}

/** Orders can be placed before they are paid, or be paid in part; then the merchant can send a link for what is owed. */
function isOrderUnpaid(payment: CryptoPayment): boolean {
  const { order_id: orderId, gateway_status: status, state, attention_reason: reason } = payment
  const isOpen = status !== "PAID" && state === "open"
  return orderId !== null && (isOpen || (reason === "order_underpaid" && needsAttention(payment)))
}

function CopyLinkButton({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { mutate, isPending } = usePaymentLink(payment.id)
  const copy = () =>
    mutate(undefined, {
      onSuccess: (link) => {
        navigator.clipboard.writeText(link).then(
          () => toast.success(t("actions.linkCopied"), { description: link }),
          // No permission, or no https: then it can still be read and copied by hand.
          () => toast.info(t("actions.copyLink"), { description: link })
        )
      },
      onError: (error) => toast.error(t("actions.linkFailed"), { description: apiMessage(error, t) }),
    })
  return (
    <Button size="small" variant="secondary" isLoading={isPending} onClick={copy}>
      {t("actions.copyLink")}
    </Button>
  )
}

/** What can be done about a payment: check now; resolve, with a case open; register a refund, once money came. */
export function PaymentActions({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const [opened, setOpened] = useState<"resolve" | "refund" | null>(null)
  const { mutate: check, isPending: isChecking } = useCheckNow(payment.id)
  const close = () => setOpened(null)

  const checkNow = () =>
    check(undefined, {
      onSuccess: ({ crypto_payment: { failure } }) =>
        failure === null
          ? toast.success(t("actions.checked"))
          : toast.error(t("actions.checkFailed"), { description: t(`problems.${failure}`) }),
      onError: (error) => toast.error(t("actions.checkFailed"), { description: apiMessage(error, t) }),
    })
  return (
    <>
      <Button size="small" variant="secondary" isLoading={isChecking} onClick={checkNow}>
        {t("actions.check")}
      </Button>
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
      {opened === "resolve" && <ResolveDrawer payment={payment} open onOpenChange={close} />}
      {opened === "refund" && <RefundDrawer payment={payment} open onOpenChange={close} />}
    </>
  )
}
