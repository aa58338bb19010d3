import ar from "./ar.json"
import en from "./en.json"

// The dashboard reads the languages it finds here; any other falls back to English.
export default {
  en: { cryptoPayments: en },
  ar: { cryptoPayments: ar },
}
