import en from "./en.json"

// The dashboard reads these languages; any other falls back to English. For Arabic, it has only the names of our pages,
// which its menus show before one of our pages opens. The rest is in a file that only Arabic browsers load.
const ar = {
  nav: { payments: "مدفوعات العملات المشفرة", balances: "الأرصدة", settlements: "التسويات", checks: "الفحوص" },
}

export default { en: { cryptoPayments: en }, ar: { cryptoPayments: ar } }
