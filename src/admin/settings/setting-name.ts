import { headerOfSecret } from "../../modules/crypto-payments/settings/names"
import type { Words } from "../shared/words"

/** A setting by the API's name for it (`auth.token`, `auth.headers.X-Key`), in words. */
export function settingName(name: string, t: Words): string {
  const header = headerOfSecret(name)
  if (header !== undefined) {
    return t("settings.fields.header", { name: header })
  }
  return t(`settings.fields.${name === "auth" ? "auth_type" : name}`)
}

const HINTED = ["base_url", "timeout_ms", "unpaid_order_ttl_minutes", "payment_link_hosts"]

/** What a setting has to look like, where there are words for it. */
export function settingHint(name: string, t: Words): string {
  if (name === "success_url" || name === "failed_url") {
    return t("settings.fields.return_url_hint")
  }
  return HINTED.includes(name) ? t(`settings.fields.${name}_hint`) : ""
}

/** Several of them, as part of a sentence. */
export function settingNames(names: string[], t: Words): string {
  return names.map((name) => settingName(name, t)).join(t("common.comma"))
}
