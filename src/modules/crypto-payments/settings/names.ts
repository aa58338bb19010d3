/**
 * A setting has two names: that of the option in medusa-config (`baseUrl`, `auth.apiKey`), which is also how it is stored,
 * and that of the field in the admin API (`base_url`, `auth.api_key`). A secret always has the field's name, because it is
 * sealed under it. The names of a merchant's own headers are never changed.
 */
const HEADER = "auth.headers."

/** The field of the admin API for an option; `auth` for what is about all of the authentication. */
export function toFieldName(option: string): string {
  if (option === "auth.username") {
    return "auth_username"
  }
  if (option === "auth.headers" || option === "auth.headerNames") {
    return "auth"
  }
  return option.startsWith(HEADER) ? option : option.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** The option for a field of the admin API. */
export function toOptionName(field: string): string {
  return field.startsWith(HEADER)
    ? field
    : field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

/** An object with the fields' names for the options' names. */
export function toFieldNames<Value>(options: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(options).map(([option, value]) => [toFieldName(option), value]))
}

/** An object with the options' names for the fields' names. */
export function toOptionNames<Value>(fields: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).map(([field, value]) => [toOptionName(field), value]))
}

/** The name of a secret of an authentication, by its option. */
export function authSecretName(option: string): string {
  return `auth.${toFieldName(option)}`
}

/** The name of the secret that is sent in a header of the merchant's own. */
export function headerSecretName(header: string): string {
  return `${HEADER}${header}`
}

/** The header that a secret is sent in; undefined for any other secret. */
export function headerOfSecret(name: string): string | undefined {
  return name.startsWith(HEADER) ? name.slice(HEADER.length) : undefined
}
