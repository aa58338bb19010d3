import { useTranslation } from "react-i18next"

/** Which way the reader's language runs. Radix' tabs and selects do not look it up themselves: they have to be told. */
export function useDirection(): "ltr" | "rtl" {
  const { i18n } = useTranslation()
  return i18n.dir(i18n.language)
}
