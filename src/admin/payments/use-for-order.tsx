import { useDebouncedSearch } from "@medusajs/dashboard/hooks"
import { RadioGroup, toast } from "@medusajs/ui"
import { keepPreviousData } from "@tanstack/react-query"
import { useState } from "react"
import type { Candidate, Candidates, CryptoPayment } from "../../http-contract"
import { apiMessage } from "../shared/admin-api"
import { formatFiat } from "../shared/figures"
import { FormDrawer, FormField, TextField, useQuestion } from "../shared/form"
import { Remark } from "../shared/layout"
import { Loaded } from "../shared/page"
import { PAYMENTS, usePaymentAction, useRead, useSubmit } from "../shared/queries"
import { t, together } from "../shared/words"
import { gatewayCurrency, isOfOtherSum, isWaitingForCapture } from "./payment"

type Used = { crypto_payment: CryptoPayment }

/** What was done with the money; a warning while it is not captured. */
function sayUsed({ crypto_payment: payment }: Used, title: string, hint?: string): void {
  const isWaiting = isWaitingForCapture(payment)
  toast[isWaiting ? "warning" : "success"](title, { description: isWaiting ? t("use.waits") : hint })
}

/** The gateway does not tell what was sent back to the payer, so an admin user has to say that this money was not. */
function useConfirm() {
  const ask = useQuestion()
  return async (action: string, description: string) =>
    await ask(action, `${description} ${t("use.confirm")}`, { confirmText: action, variant: "confirmation" })
}

/** Chooses the order that received money is used for. Mostly, the only one that fits is chosen already. */
export function UseDrawer({ payment, onClose }: { payment: CryptoPayment; onClose: () => void }) {
  const { searchValue, onSearchValueChange, query: q } = useDebouncedSearch()
  const [chosen, setChosen] = useState<string>()
  const isConfirmed = useConfirm()
  const options = { placeholderData: keepPreviousData }
  const found = useRead<Candidates>(PAYMENTS, `/${payment.id}/candidates`, { q }, options)
  const candidates = found.data?.candidates ?? []
  const only = candidates.length === 1 && !isOfOtherSum(payment) ? candidates[0] : undefined
  const order = candidates.find((one) => one.order_id === chosen) ?? only
  const order_id = order?.order_id
  const done = (used: Used) => sayUsed(used, t("use.done"))
  const { drawer, submit, isTried } = useSubmit(`/${payment.id}/apply`, onClose, done, [PAYMENTS])
  const amount = formatFiat(payment.gateway_amount ?? payment.amount, gatewayCurrency(payment))
  const confirm = async () => {
    if (order === undefined || (await isConfirmed(t("actions.use"), questionOf(order, payment, amount)))) {
      submit({ order_id }, order !== undefined)
    }
  }
  return (
    <FormDrawer
      {...drawer}
      // Not what is said in place of the orders too.
      problem={found.error && apiMessage(found.error) === drawer.problem ? undefined : drawer.problem}
      title={t("use.title")}
      description={t("use.description", { amount })}
      submitLabel={t("actions.use")}
      onSubmit={() => void confirm()}
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
    </FormDrawer>
  )
}

function questionOf({ display_id, email, ...owed }: Candidate, { customer }: CryptoPayment, amount: string) {
  const order = together([`#${String(display_id)}`, email && `(${email})`])
  const after = formatFiat(owed.outstanding_after, owed.currency_code)
  const payer = customer?.email
  return together([
    t("use.question", { amount, order }),
    /[1-9]/.test(after) && t("use.rest", { amount: after }),
    email && payer && email.toLowerCase() !== payer.toLowerCase() && t("use.otherPayer", { email: payer }),
  ])
}

function choiceOf({ order_id, display_id, is_draft, email, likely, ...owed }: Candidate) {
  const fiat = (sum: string) => formatFiat(sum, owed.currency_code)
  const marks = [is_draft && t("use.draft"), email, likely !== null && t(`use.likely.${likely}`)]
  return {
    value: order_id,
    className: "text-start",
    label: [`#${String(display_id)}`, ...marks].filter(Boolean).join(" · "),
    description: t("use.owes", { amount: fiat(owed.outstanding), after: fiat(owed.outstanding_after) }),
  }
}

/** Makes a draft order of the payment's cart. */
export function useDraft(payment: CryptoPayment) {
  const isConfirmed = useConfirm()
  const make = usePaymentAction<Used>(`/${payment.id}/draft-order`, {
    done: (used) => sayUsed(used, t("actions.draftMade"), t("actions.draftMadeHint")),
    failed: "actions.draftFailed",
    changes: [PAYMENTS],
  })
  const confirm = async () => {
    if (await isConfirmed(t("actions.makeDraft"), t("actions.draftHint"))) {
      make.mutate()
    }
  }
  return { label: t("actions.makeDraft"), isLoading: make.isPending, onClick: () => void confirm() }
}
