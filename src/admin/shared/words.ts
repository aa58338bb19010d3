import { useEffect } from "react"
import { getI18n, useTranslation, type UseTranslationOptions } from "react-i18next"
import { formatCount } from "./figures"

const NAMESPACE = "cryptoPayments"
const OPTIONS: UseTranslationOptions<undefined> & { bindI18nStore: string } = { bindI18nStore: "added" }

/**
 * The plugin's own texts, in the language of the moment; core's are `useTranslation()` without a namespace.
 * @param values `count` chooses the plural form, and the text shows it as `{{number}}`, with commas
 */
export const t = (key: string, values: Record<string, unknown> = {}): string => {
  const { count } = values
  const number = typeof count === "number" ? { number: formatCount(count) } : undefined
  return getI18n().getFixedT(null, NAMESPACE)(key, { ...values, ...number })
}

export const together = (words: unknown[]): string => words.filter(Boolean).join(" ")

/** Draws its component again when the language changes or texts arrive, and then returns another value. */
export function useLanguage(): unknown {
  const { t: changes, i18n } = useTranslation(NAMESPACE, OPTIONS)
  const { language } = i18n
  useEffect(() => {
    if (isArabic(language)) {
      addArabic()
    }
  }, [i18n, language])
  return changes
}

const isArabic = (language: string) => /^ar\b/.test(language)

const readArabic = () => import("../i18n/ar.json")
let added: Promise<void> | undefined

/** Until the texts are loaded, or if they cannot be, pages are in English. The next page tries again. */
function addArabic(): void {
  added ??= readArabic().then(
    ({ default: texts }) => void getI18n().addResourceBundle("ar", NAMESPACE, texts, true, true),
    () => {
      added = undefined
    }
  )
}

// Where the dashboard stores the language. Loading begins here, so that the texts are there before the first page.
if (
  typeof document !== "undefined" &&
  isArabic(localStorage.getItem("lng") ?? document.cookie.replace(/.*\blng=/, ""))
) {
  void readArabic().catch(() => undefined)
}

/** Radix' tabs and selects do not detect the text direction: it has to be passed to them. */
export const direction = (): "ltr" | "rtl" => getI18n().dir(getI18n().language)

const SECONDS = { year: 365 * 86_400, month: 30 * 86_400, day: 86_400, hour: 3_600, minute: 60 }
const UNITS = Object.entries(SECONDS) as [keyof typeof SECONDS, number][]

/** The dashboard writes `ptBR`. Latin digits and Gregorian months, as everywhere else in the admin. */
const localeOf = (language: string): string =>
  `${language.replace(/([a-z])([A-Z])/, "$1-$2")}-u-ca-gregory-nu-latn`

/** How long ago, or in how long, in the language's plural forms: the dashboard's own texts lack the Arabic dual. */
export function relativeTime(at: string | Date, language: string, now = Date.now()): string {
  const seconds = Math.round((new Date(at).getTime() - now) / 1000)
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? (["second", 1] as const)
  const words = new Intl.RelativeTimeFormat(localeOf(language), {
    numeric: seconds === 0 ? "auto" : "always",
  }).format(Math.trunc(seconds / size), unit)
  return words.replace(/^قبل /, "منذ ").replace(/^خلال /, "بعد ")
}

/** The month of a day (`YYYY-MM-DD`), with its year. */
export const monthName = (day: string, language = getI18n().language): string =>
  new Date(`${day}T12:00:00`).toLocaleDateString(localeOf(language), { month: "long", year: "numeric" })

export const ago = (at: string): string => relativeTime(at, getI18n().language)
