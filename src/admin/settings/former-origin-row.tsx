import { Button, toast, usePrompt } from "@medusajs/ui"
import { useForgetOrigin } from "./settings"
import { problemWords } from "./settings-save"
import { useWords } from "../shared/words"
import type { CryptoSettings } from "../../http-contract"
import { FactRow } from "../shared/layout"

interface FormerOriginRowProps {
  providerId: string
  former: CryptoSettings["former_origins"][number]
}

/** A former gateway address that is still read and believed, and the button that ends that. */
export function FormerOriginRow({ providerId, former }: FormerOriginRowProps) {
  const t = useWords()
  const prompt = usePrompt()
  const { origin, open_requests: count } = former
  const { mutateAsync, isPending } = useForgetOrigin(providerId, origin)

  const forget = async () => {
    const isSure = await prompt({
      title: t("settings.origin.forgetTitle"),
      description: t("settings.origin.forgetDescription", { count, origin }),
      confirmText: t("settings.origin.forget"),
      cancelText: t("common.cancel"),
    })
    if (!isSure) {
      return
    }
    try {
      if ((await mutateAsync()) !== undefined) {
        toast.success(t("settings.origin.forgotten"))
      }
    } catch (error) {
      toast.error(t("settings.saveFailed"), { description: problemWords(error as Error, t) })
    }
  }

  return (
    <FactRow name={t("settings.origin.former")}>
      <bdi dir="ltr">{origin}</bdi>
      <span className="text-ui-fg-subtle">{t("settings.origin.formerCount", { count })}</span>
      <Button size="small" variant="transparent" isLoading={isPending} onClick={() => void forget()}>
        {t("settings.origin.forget")}
      </Button>
    </FactRow>
  )
}
