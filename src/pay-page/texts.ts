import type { Obstacle, PageState } from "../modules/crypto-payments/pay-pages/page-state"

/** The languages of the pay page. Another browser language gets the first. */
export const LANGUAGES = ["en", "ar"] as const

export type Language = (typeof LANGUAGES)[number]

/** Why the payer came back to the page and not to a payment link. */
export const PROBLEMS = ["later", "refused", "email"] as const

export type Problem = (typeof PROBLEMS)[number]

/** A state of the page: its heading, and what the payer is to do or to know. */
interface Said {
  title: string
  text: string
}

interface Texts {
  /** Its own name, for the link to it. */
  name: string
  direction: "ltr" | "rtl"
  /** For amounts and dates. */
  locale: string
  languages: string
  order: (number: string) => string
  noOrder: string
  pay: string
  /** To the link that somebody has begun to pay, and may have left. */
  goOn: string
  /** The heading of an order that owes nothing and has no crypto payment: paid otherwise, free, or sent back. */
  nothing: string
  paidOn: string
  reference: string
  reload: string
  /** To the shop, from an order that is paid or cancelled. */
  shop: string
  /** The items that are not listed. */
  more: (count: number) => string
  states: Record<Exclude<PageState["kind"], "unavailable"> | "not_found", Said>
  unavailable: string
  obstacles: Record<Obstacle, string>
  problems: Record<Problem, string>
}

const en: Texts = {
  name: "English",
  direction: "ltr",
  locale: "en",
  languages: "Language",
  order: (number) => `Order ${number}`,
  noOrder: "Payment",
  pay: "Pay with crypto",
  goOn: "Go back to the payment page",
  nothing: "Nothing to pay",
  paidOn: "Paid on",
  reference: "Payment reference",
  reload: "Reload this page to see whether the payment has arrived.",
  shop: "Go to the shop",
  more: (count) => `and ${String(count)} more`,
  states: {
    to_pay: {
      title: "To pay",
      text:
        "You pay on the page of the crypto payment service. If you have just paid, wait: it can take a few " +
        "minutes until this page shows it.",
    },
    confirming: {
      title: "Payment is being confirmed",
      text: "A payment for this order has begun or has arrived. Do not pay a second time. This can take a few minutes.",
    },
    part: {
      title: "Part of your payment has arrived",
      text: "Pay the rest on the same page. If you have just paid it, wait: this can take a few minutes.",
    },
    review: {
      title: "Payment is being checked",
      text:
        "A payment for this order has arrived, and the shop is checking it. Do not pay again. Ask the shop if " +
        "you have questions.",
    },
    paid: { title: "Paid", text: "Nothing is left to pay for this order." },
    canceled: { title: "Cancelled", text: "This order was cancelled. Do not pay for it." },
    not_found: {
      title: "This page does not exist",
      text:
        "The address is not complete, or the shop has replaced it. Ask the shop for a new one. If you have just " +
        "paid, you need not do anything: your payment reaches the shop without this page.",
    },
  },
  unavailable: "This order cannot be paid here now",
  obstacles: {
    not_available:
      "Crypto payments are not available in this shop at the moment. Try again later, or ask the shop how to pay.",
    currency: "Crypto payments do not take the currency of this order. Ask the shop how to pay.",
    closed: "The shop has closed this order. Ask the shop if you think that you still have to pay.",
    authorized:
      "Another payment of this order is under way. Do not pay again. Ask the shop if you have questions.",
    order_gone: "This order does not exist any more. Ask the shop if you have questions.",
  },
  problems: {
    later: "The payment page could not be opened. Try again in a minute.",
    refused: "The payment service does not take this payment at the moment. Ask the shop how to pay.",
    email: "The order has no e-mail address that crypto payments can use. Ask the shop to correct it.",
  },
}

const ar: Texts = {
  name: "العربية",
  direction: "rtl",
  // With the digits in which the gateway and the admin show amounts.
  locale: "ar-u-nu-latn",
  languages: "اللغة",
  // Isolated, or its sign would be behind the number.
  order: (number) => `الطلب \u2066${number}\u2069`,
  noOrder: "الدفع",
  pay: "ادفع بالعملات المشفرة",
  goOn: "العودة إلى صفحة الدفع",
  nothing: "لا شيء للدفع",
  paidOn: "تاريخ الدفع",
  reference: "مرجع الدفع",
  reload: "أعد تحميل هذه الصفحة لمعرفة ما إذا وصلت الدفعة.",
  shop: "الانتقال إلى المتجر",
  more: (count) => `و${String(count)} غيرها`,
  states: {
    to_pay: {
      title: "المبلغ المطلوب",
      text: "تدفع في صفحة خدمة الدفع بالعملات المشفرة. إذا دفعت للتو فانتظر: قد يستغرق ظهور الدفعة هنا بضع دقائق.",
    },
    confirming: {
      title: "جارٍ تأكيد الدفعة",
      text: "بدأت دفعة لهذا الطلب أو وصلت. لا تدفع مرة أخرى. قد يستغرق ذلك بضع دقائق.",
    },
    part: {
      title: "وصل جزء من دفعتك",
      text: "ادفع الباقي في الصفحة نفسها. إذا دفعته للتو فانتظر: قد يستغرق ذلك بضع دقائق.",
    },
    review: {
      title: "المتجر يراجع الدفعة",
      text: "وصلت دفعة لهذا الطلب والمتجر يراجعها. لا تدفع مرة أخرى. اسأل المتجر إذا كان لديك أي سؤال.",
    },
    paid: { title: "مدفوع", text: "لم يتبقَّ شيء لدفعه لهذا الطلب." },
    canceled: { title: "ملغى", text: "أُلغي هذا الطلب. لا تدفع ثمنه." },
    not_found: {
      title: "هذه الصفحة غير موجودة",
      text:
        "العنوان غير مكتمل أو استبدله المتجر. اطلب من المتجر عنوانًا جديدًا. إذا دفعت للتو فلا يلزمك فعل شيء: " +
        "تصل دفعتك إلى المتجر دون هذه الصفحة.",
    },
  },
  unavailable: "لا يمكن دفع هذا الطلب هنا الآن",
  obstacles: {
    not_available:
      "الدفع بالعملات المشفرة غير متاح في هذا المتجر حاليًا. حاول لاحقًا أو اسأل المتجر عن طريقة الدفع.",
    currency: "لا يمكن الدفع بالعملات المشفرة بعملة هذا الطلب. اسأل المتجر عن طريقة الدفع.",
    closed: "أغلق المتجر هذا الطلب. اسأل المتجر إذا كنت تظن أن عليك الدفع.",
    authorized: "هناك دفعة أخرى لهذا الطلب قيد التنفيذ. لا تدفع مرة أخرى. اسأل المتجر إذا كان لديك أي سؤال.",
    order_gone: "لم يعد هذا الطلب موجودًا. اسأل المتجر إذا كان لديك أي سؤال.",
  },
  problems: {
    later: "تعذّر فتح صفحة الدفع. حاول مرة أخرى بعد دقيقة.",
    refused: "لا تقبل خدمة الدفع هذه الدفعة حاليًا. اسأل المتجر عن طريقة الدفع.",
    email: "ليس في الطلب عنوان بريد إلكتروني صالح للدفع بالعملات المشفرة. اطلب من المتجر تصحيحه.",
  },
}

export const TEXTS: Record<Language, Texts> = { en, ar }
