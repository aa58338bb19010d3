/** Everything the payment page says, in English and Arabic. `{…}` is filled in by the page. */
const en = {
  pageTitle: "Pay {merchant}",
  testMode: "Test mode",
  noRealMoney: "No real money moves on this page.",
  otherLanguage: "العربية",
  payTo: "Pay to",
  amountDue: "Amount due",
  amountPaid: "Amount",
  coinPaid: "Paid with",
  note: "Note",
  payer: "Receipt to",
  chooseCoin: "Choose a coin",
  send: "Send exactly",
  toAddress: "To this address",
  codeLabel: "Payment code for {amount} {coin}, a sample that cannot be scanned",
  sampleOnly: "The address and the code are samples. Never send coins to them.",
  feeBuyer: "Includes a fee of {fee}, paid by you.",
  feeMerchant: "No fee for you: the merchant pays it.",
  pay: "Pay {amount} {coin}",
  decline: "Decline",
  paidTitle: "Payment received",
  paidText: "{merchant} has your payment. You can go back to the shop now.",
  backToShop: "Back to the shop",
  reference: "Reference",
  declinedNotice: "You declined this payment. You can still pay below.",
  tools: "Sandbox tools",
  toolsText:
    "For developers. These act out what goes wrong between a payment and a shop; a real payer never sees them.",
  late: "Pay late",
  lateText: "The payer returns as failed; the payment arrives {seconds} s later and is notified then.",
  twice: "Pay, notify twice",
  twiceText: "The same notification arrives two times.",
  disorder: "Pay, notify out of order",
  disorderText: "An old UNPAID notification arrives after PAID.",
  lost: "Pay, lose the notification",
  lostText: "Paid, and the shop is never told.",
  forge: "Forge notifications",
  forgeText:
    "Sends two false PAID messages: one with a wrong hash, one with fields shifted under the right hash.",
  notifications: "Notifications of this payment",
  noNotifications: "None sent yet.",
  overview: "All payment requests",
}

export type Words = typeof en
export type Language = "en" | "ar"

const ar: Words = {
  pageTitle: "الدفع إلى {merchant}",
  testMode: "وضع الاختبار",
  noRealMoney: "لا تُنقل أي أموال حقيقية في هذه الصفحة.",
  otherLanguage: "English",
  payTo: "الدفع إلى",
  amountDue: "المبلغ المستحق",
  amountPaid: "المبلغ",
  coinPaid: "دُفع بعملة",
  note: "ملاحظة",
  payer: "يُرسل الإيصال إلى",
  chooseCoin: "اختر العملة",
  send: "أرسل بالضبط",
  toAddress: "إلى هذا العنوان",
  codeLabel: "رمز الدفع بقيمة {amount} {coin}، عينة غير قابلة للمسح",
  sampleOnly: "العنوان والرمز مجرد عينة. لا ترسل إليهما أي عملات.",
  feeBuyer: "يشمل رسومًا قدرها {fee} تدفعها أنت.",
  feeMerchant: "لا رسوم عليك: يتحملها التاجر.",
  pay: "ادفع {amount} {coin}",
  decline: "رفض الدفع",
  paidTitle: "تم استلام الدفعة",
  paidText: "استلم {merchant} دفعتك. يمكنك العودة إلى المتجر الآن.",
  backToShop: "العودة إلى المتجر",
  reference: "الرقم المرجعي",
  declinedNotice: "لقد رفضت هذه الدفعة. لا يزال بإمكانك الدفع أدناه.",
  tools: "أدوات الاختبار",
  toolsText: "للمطورين: تحاكي ما قد يتعثر بين الدفع والمتجر، ولا يراها الدافع الحقيقي أبدًا.",
  late: "الدفع متأخرًا",
  lateText: "يعود الدافع كأن الدفع فشل، ثم تصل الدفعة وإشعارها بعد {seconds} ثانية.",
  twice: "الدفع مع إشعارين",
  twiceText: "يصل الإشعار نفسه مرتين.",
  disorder: "الدفع مع إشعارات غير مرتبة",
  disorderText: "يصل إشعار UNPAID قديم بعد إشعار PAID.",
  lost: "الدفع مع ضياع الإشعار",
  lostText: "تم الدفع ولا يصل إلى المتجر أي إشعار.",
  forge: "إرسال إشعارات مزورة",
  forgeText: "يرسل رسالتي PAID كاذبتين: إحداهما ببصمة خاطئة، والأخرى بحقول مُزاحة تحت البصمة الصحيحة.",
  notifications: "إشعارات هذه الدفعة",
  noNotifications: "لم يُرسل أي إشعار بعد.",
  overview: "كل طلبات الدفع",
}

const ALL: Record<Language, Words> = { en, ar }

export function wordsIn(language: Language): Words {
  return ALL[language]
}

export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** `?lang=` decides; otherwise the first language of the browser that the page speaks. */
export function chooseLanguage(asked: string | null, acceptLanguage: string | undefined): Language {
  if (asked === "en" || asked === "ar") {
    return asked
  }
  const ranked = (acceptLanguage ?? "")
    .split(",")
    .map((entry) => {
      const [tag = "", ...parameters] = entry.trim().toLowerCase().split(";")
      const weight = parameters
        .map((each) => /^\s*q=([\d.]+)$/.exec(each)?.[1])
        .find((each) => each !== undefined)
      return { language: tag.split("-")[0], weight: Number(weight ?? 1) }
    })
    .sort((a, b) => b.weight - a.weight)
  return ranked.find((each) => each.language === "ar" || each.language === "en")?.language === "ar"
    ? "ar"
    : "en"
}
