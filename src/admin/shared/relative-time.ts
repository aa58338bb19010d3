import { useTranslation } from "react-i18next"

const UNITS = [
  ["year", 365 * 86_400],
  ["month", 30 * 86_400],
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const

/**
 * How long ago, or in how long, in the plural forms of the language. The dashboard's own words have no dual in the
 * right case in Arabic.
 *
 * @param language the dashboard's, such as "ar" or "pt-BR"
 */
export function relativeTime(at: string | Date, language: string, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const)
  // Latin digits, as everywhere else in the admin.
  const words = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, {
    numeric: seconds === 0 ? "auto" : "always",
  }).format(Math.trunc(seconds / size), unit)
  return words.replace(/^قبل /, "منذ ").replace(/^خلال /, "بعد ")
}

/** How long ago something was, in the dashboard's language. */
export function useRelativeTime() {
  const { i18n } = useTranslation()
  return (at: string | Date) => relativeTime(at, i18n.language)
}
