import en from "./en.json"

// The dashboard reads the languages it finds here; any other falls back to English. Of Arabic it has the names of our
// pages, which its menus show before a page of ours is open. The rest is in a file of its own, which only a browser that
// shows Arabic loads.
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
