import { useTranslation } from "react-i18next"

export type Words = (key: string, values?: Record<string, unknown>) => string

/** The plugin's own words; core's are `useTranslation()` without a namespace. */
export function useWords(): Words {
  const { t } = useTranslation("cryptoPayments")
  return t
}
