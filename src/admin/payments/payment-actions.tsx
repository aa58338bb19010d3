import { Button, toast } from "@medusajs/ui"
import { useState } from "react"
import { usePaymentAction } from "./payments"
import { useWords, type Words } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import type { CheckResult, CryptoPayment } from "../../http-contract"
import { needsAttention } from "./payment"
import { RefundDrawer } from "./refund-drawer"
import { ResolveDrawer } from "../attention/resolve-drawer"

/**
 * Orders can be placed before they are paid, or be paid in part; then the merchant can send a link for what is owed.
 */
function isOrderUnpaid(payment: CryptoPayment): boolean {
  const { order_id: orderId, gateway_status: status, state, attention_reason: reason } = payment
  const isOpen = status !== "PAID" && state === "open"
  return orderId !== null && (isOpen || (reason === "order_underpaid" && needsAttention(payment)))
}

/** @returns false without permission or https: then the text can still be read and copied by hand */
async function isCopied(text: string): Promise<boolean> {
  try {
    // Without https there is no clipboard, whatever the type says.
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function CopyLinkButton({ payment }: { payment: CryptoPayment }) {
  const t = useWords()
  const { mutate, isPending } = usePaymentAction<{ payment_link: string }>(payment.id, "payment-link")
  const copy = () =>
    mutate(undefined, {
      onSuccess: ({ payment_link: link }) =>
        void isCopied(link).then((copied) =>
          copied
            ? toast.success(t("actions.linkCopied"), { description: link })
            : toast.info(t("actions.copyLink"), { description: link })
        ),
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

/** What can be done about a payment: check now; resolve, with a case open; register a refund, once money came. */
export function PaymentActions({ payment }: { payment: CryptoPayment }) {
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
    <>
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
    </>
  )
}
