import { Button, toast } from "@medusajs/ui"
import { type ReactNode, useState } from "react"
import { Link } from "react-router-dom"
import type { CheckResult, CryptoPayment } from "../../http-contract"
import { ActionButton } from "../shared/layout"
import { t } from "../shared/words"
import { needsAttention } from "./payment"
import { RefundDrawer, ResolveDrawer } from "./payment-forms"
import { usePaymentAction } from "./payments"

/** Without permission or https there is no clipboard, whatever the type says: then the link is shown to be copied. */
async function copyLink(link: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(link)
    toast.success(t("actions.linkCopied"), { description: link })
  } catch {
    toast.info(t("actions.copyLink"), { description: link })
  }
}

type Checked = { crypto_payment: CryptoPayment; check: CheckResult }

function sayChecked({ crypto_payment: payment, check: { gateway, changed } }: Checked): void {
  const { failure } = payment
  if (gateway === "not_asked" && (failure === "former_address" || failure === "other_account")) {
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

type PaymentActionsProps = { payment: CryptoPayment; details?: string; children?: ReactNode }

export function PaymentActions({ payment, details, children }: PaymentActionsProps) {
  const [opened, setOpened] = useState<"resolve" | "refund" | null>(null)
  const check = usePaymentAction<Checked>(`/${payment.id}/settle`, {
    done: (checked) => sayChecked(checked),
    failed: "actions.checkFailed",
  })
  const drawer = { payment, onClose: () => setOpened(null) }
  return (
    <div className="flex flex-wrap gap-2">
      {details !== undefined && (
        <Button size="small" variant="secondary" asChild>
          <Link to={`/crypto-payments/${payment.id}`}>{details}</Link>
        </Button>
      )}
      {payment.payment_request_id !== null && (
        <ActionButton label={t("actions.check")} isLoading={check.isPending} onClick={() => check.mutate()} />
      )}
      {children}
      {needsAttention(payment) && (
        <ActionButton label={t("actions.resolve")} onClick={() => setOpened("resolve")} />
      )}
      {payment.gateway_status === "PAID" && payment.state !== "refunded" && (
        <ActionButton label={t("actions.registerRefund")} onClick={() => setOpened("refund")} />
      )}
      {opened === "resolve" && <ResolveDrawer {...drawer} />}
      {opened === "refund" && <RefundDrawer {...drawer} />}
    </div>
  )
}

export function PaymentLinkButton({ orderId }: { orderId: string }) {
  const link = usePaymentAction<{ payment_link: string }>(`/orders/${orderId}/payment-link`, {
    done: ({ payment_link }) => void copyLink(payment_link),
    failed: "actions.linkFailed",
  })
  return (
    <ActionButton label={t("actions.copyLink")} isLoading={link.isPending} onClick={() => link.mutate()} />
  )
}
