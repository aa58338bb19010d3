import { Alert, Prompt } from "@medusajs/ui"
import { useState, type PropsWithChildren, type ReactNode } from "react"
import type { CryptoSettings, EncryptionKeyState, SaveSettings } from "../../http-contract"
import { FormDrawer, useFocusBack } from "../shared/form"
import { Action, Card, Facts, Subtle } from "../shared/layout"
import { CopyValue, Status } from "../shared/values"
import { ago, t, together } from "../shared/words"
import { type Part, namesOf, settingNames, takesSecret } from "./setting-fields"
import { settingFact, SettingInput } from "./setting-views"
import { connectionWords, KEY_COMMAND, problemWords, type SettingsForm, useForm, useSave } from "./settings"

export type SettingsProps = { settings: CryptoSettings; encryptionKey: EncryptionKeyState }

interface SectionProps {
  settings: CryptoSettings
  part: Part
  edit: (part: Part) => void
  /** What the row of a setting has in addition. */
  extra?: Partial<Record<string, ReactNode>>
}

/** The settings of a part. The connection's also say whether they are complete. */
export function SettingsSection({ part, settings, edit, extra }: SectionProps) {
  const { configured, problem_code: problem, missing } = settings
  const isConnection = part === "connection"
  const opens = { "aria-label": t(`settings.${part}.editTitle`), onClick: () => edit(part) }
  const facts = namesOf(part, settings).map((name) => settingFact(name, settings, extra?.[name]))
  return (
    <Card
      title={t(`settings.${part}.title`)}
      actions={
        <>
          {isConnection && (
            <Status color={configured ? "green" : "orange"}>
              {t(configured ? "settings.configured" : "settings.notConfigured")}
            </Status>
          )}
          <Action label={t("settings.edit")} {...opens} />
        </>
      }
    >
      {isConnection && (
        <div role="status" className="flex flex-col gap-y-2 px-6 py-4 empty:hidden">
          {missing.length > 0 && <Subtle>{t("settings.missing", { fields: settingNames(missing) })}</Subtle>}
          {problem && <Subtle>{t(`settings.problem.${problem}`)}</Subtle>}
        </div>
      )}
      <Facts className="divide-y" facts={facts} />
    </Card>
  )
}

type DrawerProps = SettingsProps & { part: Part; onClose: () => void }

/** The connection is tested with the form's values before they are saved. */
export function SettingsDrawer({ part, settings, encryptionKey: { state }, onClose }: DrawerProps) {
  const form = useForm(part, settings, onClose)
  const { test } = form
  const isConnection = part === "connection"
  return (
    <FormDrawer
      onClose={onClose}
      title={t(`settings.${part}.editTitle`)}
      submitLabel={t("common.save")}
      {...form.drawer}
    >
      {state !== "present" && form.names.some((name) => takesSecret(name, settings)) && (
        <Alert variant="warning">
          {t(`settings.encryption.${state}`)}
          {state !== "wrong" && <CopyValue value={KEY_COMMAND} label={t("settings.encryption.copy")} />}
        </Alert>
      )}
      {form.names.map((name) => (
        <SettingInput key={name} name={name} form={form} />
      ))}
      {form.originQuestion && <OriginQuestion {...form.originQuestion} />}
      {isConnection && (
        <div className="flex flex-col items-start gap-y-3">
          <Action label={t("settings.connection.test")} isLoading={test.isPending} onClick={form.tryOut} />
          <div role="status">
            <TestResult test={test} />
          </div>
        </div>
      )}
    </FormDrawer>
  )
}

function TestResult({ test: { data: check, error } }: Pick<SettingsForm, "test">) {
  const read = { count: check?.balances_count ?? 0, ms: check?.duration_ms }
  const answer =
    check && (check.ok ? t("settings.connection.okBalances", read) : connectionWords(check.problem))
  const words = error === null ? answer : problemWords(error)
  // The last part of the form is mostly below what is seen.
  const show = (result: HTMLElement | null) => result?.scrollIntoView({ block: "nearest" })
  return words === undefined ? null : (
    <Alert ref={show} variant={check?.ok ? "success" : "error"}>
      {words}
    </Alert>
  )
}

type Question = Exclude<ReturnType<typeof useSave>["originQuestion"], false>

/** Asks whether the open payments of a former gateway address are of the account in use now. */
function OriginQuestion({ asked, onAnswer, onCancel }: Question) {
  const { origin, open_requests: count } = asked
  const focusBack = useFocusBack()
  const another = t("settings.origin.another", { count })
  return (
    <Prompt open onOpenChange={onCancel}>
      <Prompt.Content onCloseAutoFocus={focusBack}>
        <Prompt.Header>
          <Prompt.Title>{t("settings.origin.title")}</Prompt.Title>
          <Prompt.Description>{t("settings.origin.description", { count, origin })}</Prompt.Description>
        </Prompt.Header>
        <Prompt.Footer className="flex-wrap">
          <Prompt.Cancel>{t("common.cancel")}</Prompt.Cancel>
          <Action label={another} variant="danger" onClick={() => onAnswer(false)} />
          <Action label={t("settings.origin.same")} variant="primary" onClick={() => onAnswer(true)} />
        </Prompt.Footer>
      </Prompt.Content>
    </Prompt>
  )
}

type SaveProps = { settings: CryptoSettings; label: string; input: Omit<SaveSettings, "version"> }

/** Saves one thing, without a form. */
export function SaveButton({ settings, label, input }: SaveProps) {
  const { save, isPending } = useSave(settings)
  return <Action label={label} isLoading={isPending} onClick={() => save(input)} />
}

type FormerKeyProps = { settings: CryptoSettings; usedAt: string | null | undefined }

/** The key before a new one is accepted until the merchant drops it. @param usedAt undefined if not known */
export function FormerKey({ settings, usedAt }: FormerKeyProps) {
  const { former_accepted: isAccepted = false, locked = false } = settings.secrets["secret_key"] ?? {}
  const used = usedAt ? t("settings.formerKey.used", { date: ago(usedAt) }) : t("settings.formerKey.unused")
  const drop = { label: t("settings.formerKey.drop"), input: { drop_former_key: true } }
  return !isAccepted ? null : (
    <span className="flex w-full flex-col items-start gap-y-2" data-former-key>
      <Subtle>{together([t("settings.formerKey.accepted"), usedAt !== undefined && used])}</Subtle>
      {!locked && <SaveButton settings={settings} {...drop} />}
    </span>
  )
}

/** Something to decide, above the settings. */
const Notice = ({ words, children }: PropsWithChildren<{ words: string }>) => (
  <Alert variant="warning">
    <div className="flex flex-col items-start gap-y-2">
      {words}
      {children}
    </div>
  </Alert>
)

type DecisionsProps = { settings: CryptoSettings; from: string | null }

/**
 * Former addresses whose open payments wait for an answer, as after medusa-config has changed the address; and a copy of
 * a store, or one that has moved: saving accepts its address.
 * @param from where the store was set up
 */
export function Decisions({ settings, from }: DecisionsProps) {
  const [isOpen, setOpen] = useState(false)
  const { save, isPending } = useSave(settings)
  const origin = settings.former_origins.map((former) => former.origin).join(", ")
  const open_requests = settings.former_origins.reduce((sum, former) => sum + former.open_requests, 0)
  return (
    <>
      {settings.former_origins.length > 0 && (
        <Notice words={t("settings.origin.unanswered", { count: open_requests, origin })}>
          <Action label={t("settings.origin.answer")} isLoading={isPending} onClick={() => setOpen(true)} />
          {isOpen && (
            <OriginQuestion
              asked={{ origin, open_requests }}
              onCancel={() => setOpen(false)}
              onAnswer={(same_account) => {
                setOpen(false)
                save({ confirm_origin_change: true, same_account })
              }}
            />
          )}
        </Notice>
      )}
      {from !== null && (
        <Notice words={t("settings.address.changed", { address: from })}>
          <Action label={t("settings.address.accept")} isLoading={isPending} onClick={() => save({})} />
        </Notice>
      )}
    </>
  )
}
