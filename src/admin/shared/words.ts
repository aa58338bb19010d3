import { useEffect } from "react"
import { useTranslation, type UseTranslationOptions } from "react-i18next"

export type Words = (key: string, values?: Record<string, unknown>) => string

type I18n = ReturnType<typeof useTranslation>["i18n"]

const NAMESPACE = "cryptoPayments"
/** Pages are drawn again when texts arrive. */
const OPTIONS: UseTranslationOptions<undefined> & { bindI18nStore: string } = { bindI18nStore: "added" }

/** The plugin's own words; core's are `useTranslation()` without a namespace. */
export function useWords(): Words {
  const { t, i18n } = useTranslation(NAMESPACE, OPTIONS)
  const { language } = i18n
  useEffect(() => {
    if (isArabic(language)) {
      void addArabic(i18n)
    }
  }, [i18n, language])
  return t
}

const isArabic = (language: string) => /^ar\b/.test(language)

const readArabic = () => import("../i18n/ar.json")
let added: Promise<void> | undefined

/** Until the texts are there, and if they cannot be loaded, the pages are in English. The next page tries again. */
async function addArabic(i18n: I18n): Promise<void> {
  added ??= readArabic().then(
    ({ default: texts }) => {
      i18n.addResourceBundle("ar", NAMESPACE, texts, true, true)
    },
    () => {
      added = undefined
    }
  )
  await added
}

// Where the dashboard keeps the language. Begun here, the texts are there before the first page is.
if (
  typeof document !== "undefined" &&
  isArabic(localStorage.getItem("lng") ?? document.cookie.replace(/.*\blng=/, ""))
) {
  void readArabic().catch(() => undefined)
}

/**
 * The text direction of the reader's language. Radix' tabs and selects do not detect it: it has to be passed to them.
 */
export function useDirection(): "ltr" | "rtl" {
  const { i18n } = useTranslation()
  return i18n.dir(i18n.language)
}
