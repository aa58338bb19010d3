import { Alert } from "@medusajs/ui"
import { useWords } from "../shared/words"
import { providerName } from "../shared/provider"
import type { CryptoSettings, EncryptionKeyState, Health } from "../../http-contract"
import { settingNames } from "./setting-name"

/** Providers that have unfinished payments and that medusa-config does not register any more. */
export function MissingProviders({ providers }: Pick<Health, "providers">) {
  const t = useWords()
  return providers
    .filter(({ registered, open, overdue, attention }) => !registered && open + overdue + attention > 0)
    .map(({ provider_id, open, attention }) => (
      <Alert key={provider_id} variant="warning">
        {t("settings.missingProvider", {
          provider: providerName(provider_id),
          links: t("settings.openLinks", { count: open }),
          cases: t("settings.openCases", { count: attention }),
        })}
      </Alert>
    ))
}

/** What medusa-config gives, all of it in one place: the rows only bear a lock. */
export function LockedNotice({ settings: { fields, secrets } }: { settings: CryptoSettings }) {
  const t = useWords()
  // publicUrl can only be set there, so it is no value that is locked here; names of headers come with the type.
  const { public_url: _always, auth_header_names: _withType, ...changeable } = fields
  const locked = [...Object.entries(changeable), ...Object.entries(secrets)].flatMap(([name, field]) =>
    field?.locked ? [name] : []
  )
  return locked.length === 0 ? null : (
    <Alert variant="info">{t("settings.lockedBanner", { fields: settingNames(locked, t) })}</Alert>
  )
}

/** Says plainly that secrets cannot be kept, and why. */
export function EncryptionAlert({ encryptionKey }: { encryptionKey: EncryptionKeyState }) {
  const t = useWords()
  return encryptionKey.state === "present" ? null : (
    <Alert variant="warning">{t(`settings.encryption.${encryptionKey.state}`)}</Alert>
  )
}
