import { Alert, Button, Prompt } from "@medusajs/ui"
import { useState } from "react"
import type { CryptoSettings, FormerOrigin } from "../../http-contract"
import { useWords } from "../shared/words"
import { useSettingsSave } from "./settings-form"

interface OriginQuestionProps {
  asked: FormerOrigin
  onAnswer: (isSameAccount: boolean) => void
  onCancel: () => void
}

/** Asks whether the open payments of a former gateway address are of the account that is in use now. */
export function OriginQuestion({ asked, onAnswer, onCancel }: OriginQuestionProps) {
  const t = useWords()
  const { origin, open_requests: count } = asked
  return (
    <Prompt open onOpenChange={onCancel}>
      <Prompt.Content>
        <Prompt.Header>
          <Prompt.Title>{t("settings.origin.title")}</Prompt.Title>
          <Prompt.Description>{t("settings.origin.description", { count, origin })}</Prompt.Description>
        </Prompt.Header>
        <Prompt.Footer className="flex-wrap">
          <Prompt.Cancel>{t("common.cancel")}</Prompt.Cancel>
          <Button size="small" variant="danger" onClick={() => onAnswer(false)}>
            {t("settings.origin.another", { count })}
          </Button>
          <Button size="small" onClick={() => onAnswer(true)}>
            {t("settings.origin.same")}
          </Button>
        </Prompt.Footer>
      </Prompt.Content>
    </Prompt>
  )
}

/** Former gateway addresses with open payments that wait for an answer, as after medusa-config has changed the address. */
export function UnansweredOrigins({ settings }: { settings: CryptoSettings }) {
  const t = useWords()
  const [isOpen, setOpen] = useState(false)
  const { save, isPending } = useSettingsSave(settings, () => setOpen(false))
  const { former_origins: former } = settings
  if (former.length === 0) {
    return null
  }
  const asked = {
    origin: former.map(({ origin }) => origin).join(", "),
    open_requests: former.reduce((sum, { open_requests }) => sum + open_requests, 0),
  }
  return (
    <Alert variant="warning">
      <div className="flex flex-col items-start gap-y-2">
        {t("settings.origin.unanswered", { count: asked.open_requests, origin: asked.origin })}
        <Button size="small" variant="secondary" isLoading={isPending} onClick={() => setOpen(true)}>
          {t("settings.origin.answer")}
        </Button>
      </div>
      {isOpen && (
        <OriginQuestion
          asked={asked}
          onCancel={() => setOpen(false)}
          onAnswer={(same_account) => save({ confirm_origin_change: true, same_account })}
        />
      )}
    </Alert>
  )
}
