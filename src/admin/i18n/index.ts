import { ARABIC_LABELS } from "./arabic-labels"
import en from "./en.json"

// The dashboard reads the languages it finds here; any other falls back to English. The rest of Arabic is in a file of
// its own, which only a browser that shows Arabic loads.
export default {
  en: { cryptoPayments: en },
  ar: { cryptoPayments: ARABIC_LABELS },
}
