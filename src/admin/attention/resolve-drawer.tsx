import { Textarea, toast } from "@medusajs/ui"
import { useState } from "react"
import { usePaymentAction } from "../payments/payments"
import { FormDrawer, FormField, useFormToast } from "../shared/form"
import { useWords } from "../shared/words"
import { apiMessage } from "../shared/admin-api"
import type { CryptoPayment } from "../../http-contract"

/** Closes a case of the attention list, with what was done about it. */
export function ResolveDrawer({ payment, onClose }: { payment: CryptoPayment; onClose: () => void }) {
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
