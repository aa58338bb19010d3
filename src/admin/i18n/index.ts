import en from "./en.json"

// The dashboard reads the languages it finds here; any other language falls back to English. For Arabic, it has only
// our pages' names, which its menus show before one of our pages opens. The rest is in a file that only Arabic browsers
// load.
const ar = {
  nav: {
    payments: "مدفوعات العملات المشفرة",
    balances: "الأرصدة",
    settlements: "التسويات",
    reconciliation: "المطابقة",
    audit: "التدقيق",
  },
  settings: { title: "مدفوعات العملات المشفرة" },
}

export default { en: { cryptoPayments: en }, ar: { cryptoPayments: ar } }
