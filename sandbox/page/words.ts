/** One text for each plural form of a language; `other` is required. */
export type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Everything the pages say, in English and Arabic. `{…}` is filled in by the page. */
const en = {
  pageTitle: "Pay {merchant}",
  testMode: "Test mode",
  noRealMoney: "No real money moves on this page.",
  otherLanguage: "العربية",
  payTo: "Pay to",
  amountDue: "Amount due",
  amountPaid: "Amount",
  coinPaid: "Paid with",
  note: "Reference",
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
    "For developers. These buttons simulate what can go wrong between a payment and a shop. A real payer does not see them.",
  late: "Pay late",
  lateText:
    "The payer returns as if the payment failed. The payment and its notification arrive {seconds} later.",
  twice: "Pay, notify twice",
  twiceText: "The same notification arrives twice.",
  disorder: "Pay, notify out of order",
  disorderText: "An old UNPAID notification arrives after PAID.",
  lost: "Pay, lose the notification",
  lostText: "The payment is made, and the shop receives no notification.",
  seconds: { one: "{count} second", other: "{count} seconds" } as Plural,
  forgedNotice: {
    zero: "The shop accepted the forged notifications.",
    one: "The shop rejected {count} forged notification.",
    other: "The shop rejected {count} forged notifications.",
  } as Plural,
  forgedUnanswered: "The shop did not answer.",
  nothingPaid: "Nothing was paid.",
  forge: "Forge notifications",
  forgeText:
    "Sends two false PAID messages: one with a wrong hash, one with fields shifted under the right hash.",
  notifications: "Notifications of this payment",
  noNotifications: "None sent yet.",
  overview: "All payment requests",
  copy: "Copy",
  copied: "Copied",
  sandbox: "Sandbox gateway",
  noRealMoneyHere: "No real money moves here.",
  refresh: "Refresh",
  baseUrl: "Base URL",
  notificationsTo: "Notifications go to",
  nowhere: "nowhere: start with --webhook, or POST /control/webhook",
  controlApi: "Control API",
  requests: "Payment requests",
  noRequests: "None yet. They appear when a store creates one with POST {path}.",
  recent: "Recent notifications",
  none: "None yet.",
  created: "Created",
  amount: "Amount",
  status: "Status",
  payerEmail: "Payer",
  paymentPage: "Payment page",
  readsSay: "read as {status}",
  says: "Status sent",
  why: "Reason",
  answered: "Receiver answered",
  tries: "Attempts",
  request: "Payment request",
  faults: "Faults",
  faultsText: "The gateway's API fails in the chosen way until the faults are cleared.",
  activeFaults: { zero: "None active", one: "{count} active", other: "{count} active" } as Plural,
  timesLeft: "calls left: {times}",
  untilCleared: "until cleared",
  endpoint: "Endpoint",
  endpoints: { any: "All", create: "Create", read: "Read", list: "List", balances: "Balances" },
  fault: "Fault",
  faultKinds: {
    status: "HTTP error",
    timeout: "No answer",
    reset: "Connection reset",
    html: "HTML instead of JSON",
    false_flag: "Success flag is false",
    slow: "Slow answer",
  } as Partial<Record<string, string>>,
  addFault: "Add fault",
  clearFaults: "Clear all faults",
}

type Widened<T> = { [K in keyof T]: T[K] extends string ? string : T[K] }

export type Words = Widened<typeof en>
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
  note: "المرجع",
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
  toolsText: "للمطورين: تحاكي هذه الأزرار ما قد يتعثر بين الدفع والمتجر. لا يراها المشتري الحقيقي.",
  late: "الدفع متأخرًا",
  lateText: "يعود المشتري كأن الدفع فشل، ثم تصل الدفعة وإشعارها بعد {seconds}.",
  twice: "الدفع مع إشعارين",
  twiceText: "يصل الإشعار نفسه مرتين.",
  disorder: "الدفع مع إشعارات غير مرتبة",
  disorderText: "يصل إشعار UNPAID قديم بعد إشعار PAID.",
  lost: "الدفع مع ضياع الإشعار",
  lostText: "تم الدفع ولا يصل إلى المتجر أي إشعار.",
  seconds: {
    one: "ثانية واحدة",
    two: "ثانيتين",
    few: "{count} ثوانٍ",
    many: "{count} ثانية",
    other: "{count} ثانية",
  },
  forgedNotice: {
    zero: "قبل المتجر الإشعارات المزورة.",
    one: "رفض المتجر إشعارًا مزورًا واحدًا.",
    two: "رفض المتجر إشعارين مزورين.",
    few: "رفض المتجر {count} إشعارات مزورة.",
    many: "رفض المتجر {count} إشعارًا مزورًا.",
    other: "رفض المتجر {count} إشعار مزور.",
  },
  forgedUnanswered: "لم يجب المتجر.",
  nothingPaid: "لم يُدفع شيء.",
  forge: "إرسال إشعارات مزورة",
  forgeText: "يرسل رسالتي PAID كاذبتين: إحداهما ببصمة خاطئة، والأخرى بحقول مُزاحة تحت البصمة الصحيحة.",
  notifications: "إشعارات هذه الدفعة",
  noNotifications: "لم يُرسل أي إشعار بعد.",
  overview: "كل طلبات الدفع",
  copy: "نسخ",
  copied: "نُسخ",
  sandbox: "بوابة الاختبار",
  noRealMoneyHere: "لا تُنقل هنا أي أموال حقيقية.",
  refresh: "تحديث",
  baseUrl: "العنوان الأساسي",
  notificationsTo: "تُرسل الإشعارات إلى",
  nowhere: "لا عنوان محدد: ابدأ بالخيار --webhook أو استعمل POST /control/webhook",
  controlApi: "واجهة التحكم",
  requests: "طلبات الدفع",
  noRequests: "لا طلبات بعد. تظهر حين ينشئ متجر طلبًا عبر POST {path}.",
  recent: "أحدث الإشعارات",
  none: "لا شيء بعد.",
  created: "وقت الإنشاء",
  amount: "المبلغ",
  status: "الحالة",
  payerEmail: "المشتري",
  paymentPage: "صفحة الدفع",
  readsSay: "تُقرأ {status}",
  says: "الحالة المرسلة",
  why: "السبب",
  answered: "رد المستلم",
  tries: "المحاولات",
  request: "طلب الدفع",
  faults: "الأعطال",
  faultsText: "تتعطل واجهة API للبوابة بالطريقة المختارة حتى تُزال الأعطال.",
  activeFaults: {
    zero: "لا أعطال نشطة",
    one: "عطل نشط واحد",
    two: "عطلان نشطان",
    few: "{count} أعطال نشطة",
    many: "{count} عطلًا نشطًا",
    other: "{count} عطل نشط",
  },
  timesLeft: "الاستدعاءات المتبقية: {times}",
  untilCleared: "حتى تُزال",
  endpoint: "نقطة الاتصال",
  endpoints: { any: "الكل", create: "الإنشاء", read: "القراءة", list: "القائمة", balances: "الأرصدة" },
  fault: "العطل",
  faultKinds: {
    status: "خطأ HTTP",
    timeout: "لا رد",
    reset: "قطع الاتصال",
    html: "HTML بدل JSON",
    false_flag: "علامة النجاح false",
    slow: "رد بطيء",
  },
  addFault: "إضافة العطل",
  clearFaults: "إزالة كل الأعطال",
}

export const WORDS: Record<Language, Words> = { en, ar }

export function fill(sentence: string, values: Record<string, string>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole)
}

/** The text of a number's plural form, with the number in it. Zero is a separate form if it has a text. */
export function plural(language: Language, count: number, forms: Plural): string {
  const form = count === 0 && forms.zero !== undefined ? "zero" : new Intl.PluralRules(language).select(count)
  return fill(forms[form] ?? forms.other, { count: String(count) })
}

/** `?lang=` decides; otherwise the browser's first language that the page has. */
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
