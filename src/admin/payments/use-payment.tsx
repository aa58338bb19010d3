import { useDebouncedSearch } from "@medusajs/dashboard/hooks"
import { Checkbox, InlineTip, Label, RadioGroup, toast, usePrompt } from "@medusajs/ui"
import { keepPreviousData } from "@tanstack/react-query"
import { useId, useState } from "react"
import type { Candidate, Candidates, CryptoPayment } from "../../http-contract"
import { apiMessage } from "../shared/admin-api"
import { formatFiat } from "../shared/figures"
import { FormDrawer, FormField, TextField, useFormToast } from "../shared/form"
import { Remark } from "../shared/layout"
import { Loaded } from "../shared/page"
import { PAYMENTS, usePaymentAction, useRead } from "../shared/queries"
import { t } from "../shared/words"
import { gatewayCurrency, isWaitingForCapture } from "./payment"

const received = (payment: CryptoPayment): string =>
  formatFiat(payment.gateway_amount ?? payment.amount, gatewayCurrency(payment))

type Used = { crypto_payment: CryptoPayment }

/** What was done with the money; a warning while it is not captured. */
function sayUsed({ crypto_payment: payment }: Used, title: string, description?: string): void {
  if (isWaitingForCapture(payment)) {
    toast.warning(title, { description: t("use.waits") })
  } else {
    toast.success(title, { description })
  }
}

/** Chooses the order that received money is used for. The only one that fits is chosen already. */
export function UseDrawer({ payment, onClose }: { payment: CryptoPayment; onClose: () => void }) {
  const { searchValue, onSearchValueChange, query: q } = useDebouncedSearch()
  const [chosen, setChosen] = useState<string>()
  const [isConfirmed, setConfirmed] = useState(false)
  const [isTried, setTried] = useState(false)
  const formToast = useFormToast()
  const confirmId = useId()
  const options = { placeholderData: keepPreviousData }
  const found = useRead<Candidates>(PAYMENTS, `/${payment.id}/candidates`, { q }, options)
  const candidates = found.data?.candidates ?? []
  const only = candidates.length === 1 ? candidates[0] : undefined
  const order_id = candidates.find((one) => one.order_id === chosen)?.order_id ?? only?.order_id
  const apply = usePaymentAction<Used, { order_id: string }>(`/${payment.id}/apply`, {
    done: (used) => {
      const title = isWaitingForCapture(used.crypto_payment) ? "use.chosen" : "use.done"
      sayUsed(used, t(title))
      onClose()
    },
    failed: (error) => formToast.fail(t("use.failed"), apiMessage(error)),
    changes: [PAYMENTS],
  })
  const submit = () => {
    formToast.clear()
    setTried(true)
    if (order_id !== undefined && isConfirmed) {
      apply.mutate({ order_id })
    }
  }
  const amount = received(payment)
  return (
    <FormDrawer
      onClose={onClose}
      isSubmitting={apply.isPending}
      title={t("use.title")}
      description={t("use.description", { amount })}
      submitLabel={t("actions.use")}
      onSubmit={submit}
    >
      <TextField
        label={t("use.search")}
        hint={t("use.searchHint")}
        maxLength={128}
        value={searchValue}
        onChange={onSearchValueChange}
      />
      <FormField
        label={t("use.orders")}
        error={isTried && order_id === undefined ? t("use.chooseOrder") : undefined}
      >
        {(control) => (
          <Loaded query={found}>
            {() =>
              candidates.length === 0 ? (
                <Remark>{t("use.none", { amount })}</Remark>
              ) : (
                <RadioGroup
                  aria-label={t("use.orders")}
                  aria-describedby={control["aria-describedby"]}
                  value={order_id ?? ""}
                  onValueChange={setChosen}
                >
                  {candidates.map((candidate) => (
                    <RadioGroup.ChoiceBox key={candidate.order_id} {...choiceOf(candidate)} />
                  ))}
                </RadioGroup>
              )
            }
          </Loaded>
        )}
      </FormField>
      <div className="flex items-center gap-x-2">
        <Checkbox
          id={confirmId}
          checked={isConfirmed}
          onCheckedChange={(checked) => setConfirmed(checked === true)}
        />
        <Label htmlFor={confirmId} size="small">
          {t("use.confirm")}
        </Label>
      </div>
      {isTried && !isConfirmed && (
        <InlineTip label={t("widget.title")} variant="warning" role="alert">
          {t("use.confirmNeeded")}
        </InlineTip>
      )}
    </FormDrawer>
  )
}

function choiceOf({ order_id, display_id, is_draft, email, likely, ...owed }: Candidate) {
  const [amount, after] = [owed.outstanding, owed.outstanding_after].map((sum) =>
    formatFiat(sum, owed.currency_code)
  )
  const marks = [is_draft && t("use.draft"), email, likely !== null && t(`use.likely.${likely}`)]
  return {
    value: order_id,
    label: [`#${String(display_id)}`, ...marks].filter(Boolean).join(" · "),
    description: t("use.owes", { amount, after }),
  }
}

/** Makes a draft order of the payment's cart, once it is confirmed that the money was not sent back. */
export function useDraft(payment: CryptoPayment) {
  const ask = usePrompt()
  const make = usePaymentAction<Used>(`/${payment.id}/draft-order`, {
    done: (used) => sayUsed(used, t("actions.draftMade"), t("actions.draftMadeHint")),
    failed: "actions.draftFailed",
    changes: [PAYMENTS],
  })
  const confirm = async () => {
    const isConfirmed = await ask({
      title: t("actions.draftTitle"),
      description: t("actions.draftHint"),
      confirmText: t("actions.makeDraft"),
      cancelText: t("common.cancel"),
      variant: "confirmation",
    })
    if (isConfirmed) {
      make.mutate()
    }
  }
  return { label: t("actions.makeDraft"), isLoading: make.isPending, onClick: () => void confirm() }
}
