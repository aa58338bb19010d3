import { Button, Container } from "@medusajs/ui"
import { useState, type ReactNode } from "react"
import type { CryptoSettings, EncryptionKeyState } from "../../http-contract"
import { FormDrawer } from "../shared/form"
import { SectionHeading } from "../shared/layout"
import { Status } from "../shared/values"
import { useWords } from "../shared/words"
import { ConnectionDrawer, EncryptionAlert, TestResult } from "./connection-drawer"
import { changedSettings, CHECKOUT, connectionFields, settingNames } from "./setting-fields"
import { SettingInput } from "./setting-input"
import { SettingRow } from "./setting-row"
import { useTestConnection } from "./settings"
import { useSettingsForm } from "./settings-form"

interface ConnectionSectionProps {
  settings: CryptoSettings
  encryptionKey: EncryptionKeyState
  /** Whether any secret is or would be kept here. */
  isKeyNeeded: boolean
}

/** How the store reaches the gateway. */
export function ConnectionSection({ settings, encryptionKey, isKeyNeeded }: ConnectionSectionProps) {
  const t = useWords()
  const test = useTestConnection(settings.provider_id)
  const { problem_code: problem, missing, secrets } = settings
  const ofAuth = Object.keys(secrets).filter((name) => name !== "secret_key")
  return (
    <Section
      title={t("settings.connection.title")}
      editTitle={t("settings.connection.editTitle")}
      settings={settings}
      names={connectionFields(ofAuth)}
      drawer={(edited, onClose) => (
        <ConnectionDrawer settings={edited} encryptionKey={encryptionKey} onClose={onClose} />
      )}
      actions={
        <>
          <Status color={settings.configured ? "green" : "orange"}>
            {t(settings.configured ? "settings.configured" : "settings.notConfigured")}
          </Status>
          <Button size="small" variant="secondary" isLoading={test.isPending} onClick={() => test.mutate({})}>
            {t("settings.connection.test")}
          </Button>
        </>
      }
    >
      <div role="status" className="flex flex-col gap-y-2 px-6 py-4 empty:hidden">
        {isKeyNeeded && <EncryptionAlert encryptionKey={encryptionKey} />}
        {missing.length > 0 && (
          <span className="txt-small text-ui-fg-subtle">
            {t("settings.missing", { fields: settingNames(missing, t) })}
          </span>
        )}
        {problem !== null && (
          <span className="txt-small text-ui-fg-subtle">{t(`settings.problem.${problem}`)}</span>
        )}
        <TestResult test={test} />
      </div>
    </Section>
  )
}

/** What shoppers notice of the plugin. */
export function CheckoutSection({ settings }: { settings: CryptoSettings }) {
  const t = useWords()
  return (
    <Section
      title={t("settings.checkout.title")}
      editTitle={t("settings.checkout.editTitle")}
      settings={settings}
      names={CHECKOUT}
      drawer={(edited, onClose) => <CheckoutDrawer settings={edited} onClose={onClose} />}
    />
  )
}

interface SectionProps {
  title: string
  editTitle: string
  settings: CryptoSettings
  names: readonly string[]
  drawer: (edited: CryptoSettings, onClose: () => void) => ReactNode
  actions?: ReactNode
  children?: ReactNode
}

function Section({ title, editTitle, settings, names, drawer, actions, children }: SectionProps) {
  const t = useWords()
  // As they were when the form was opened: read anew meanwhile, they would pass for what the merchant saw.
  const [edited, setEdited] = useState<CryptoSettings | null>(null)
  return (
    <Container className="divide-y p-0">
      <SectionHeading title={title}>
        {actions}
        <Button size="small" variant="secondary" aria-label={editTitle} onClick={() => setEdited(settings)}>
          {t("settings.edit")}
        </Button>
      </SectionHeading>
      {children}
      <dl className="divide-y">
        {names.map((name) => (
          <SettingRow key={name} name={name} settings={settings} />
        ))}
      </dl>
      {edited !== null && drawer(edited, () => setEdited(null))}
    </Container>
  )
}

/** Return addresses, order placement and payment links. */
function CheckoutDrawer({ settings, onClose }: { settings: CryptoSettings; onClose: () => void }) {
  const t = useWords()
  const form = useSettingsForm(settings, onClose)
  return (
    <FormDrawer
      onClose={onClose}
      title={t("settings.checkout.editTitle")}
      submitLabel={t("common.save")}
      isSubmitting={form.isPending}
      isChanged={form.isChanged}
      onSubmit={() =>
        form.withNumbers(CHECKOUT, () => form.save(changedSettings(CHECKOUT, form.typed, settings)))
      }
    >
      {CHECKOUT.map((name) => (
        <SettingInput key={name} name={name} form={form} />
      ))}
    </FormDrawer>
  )
}
