/** Names of our pages in the dashboard's own menus. The dashboard reads them before a page of ours is open. */
export const ARABIC_LABELS = {
  nav: {
    payments: "مدفوعات العملات المشفرة",
    balances: "الأرصدة",
    settlements: "التسويات",
    reconciliation: "المطابقة",
    audit: "التدقيق",
  },
  settings: { title: "مدفوعات العملات المشفرة" },
}
