import { useTranslation } from "react-i18next"

/**
 * The text direction of the reader's language. Radix' tabs and selects do not detect it: it has to be passed to them.
 */
export function useDirection(): "ltr" | "rtl" {
  const { i18n } = useTranslation()
  return i18n.dir(i18n.language)
}
