import type { Words } from "../hooks/words"

const HEADER = "auth.headers."

/** A setting by the API's name for it (`auth.token`, `auth.headers.X-Key`), in words. */
export function settingName(name: string, t: Words): string {
  if (name.startsWith(HEADER)) {
    return t("settings.fields.header", { name: name.slice(HEADER.length) })
  }
  return t(`settings.fields.${name === "auth" ? "auth_type" : name}`)
}

/** Several of them, as part of a sentence. */
export function settingNames(names: string[], t: Words): string {
  return names.map((name) => settingName(name, t)).join(", ")
}
