import { createContext, useContext } from "react"
import type { FieldErrors } from "./settings-save"
import type { CryptoSettings } from "../../http-contract"

interface FormContextValue {
  settings: CryptoSettings
  errors: FieldErrors
}

const FormContext = createContext<FormContextValue | null>(null)

export const SettingsFormProvider = FormContext.Provider

/** The settings a form edits and what is wrong with it, for its fields. */
export function useSettingsForm(): FormContextValue {
  const value = useContext(FormContext)
  if (value === null) {
    throw new Error("A settings field is outside of its form")
  }
  return value
}
