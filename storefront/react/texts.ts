import type { CryptoOrderState, CryptoPaymentErrorCode } from "../index"
import type { CryptoPaymentView } from "./view"

/** The built-in languages. `ar-AE` counts as `ar`; any other language as `en`. */
export type CryptoPaymentLanguage = "en" | "ar"

/** What the return page says of a payment, and the order's page of an order. */
interface ViewTexts {
  title: string
  /** Instead of `title`, on an order's page. */
  titleWithOrder?: string | undefined
  text: string
  /** Instead of `text`, if there is an order already. */
  textWithOrder?: string | undefined
}

/** All texts; each can be replaced. */
export interface CryptoPaymentTexts extends Record<
  CryptoPaymentView | CryptoOrderState | "unreachable",
  ViewTexts
> {
  /** Read from right to left? */
  dir: "ltr" | "rtl"
  pay: string
  redirecting: string
  alreadyPaid: string
  tryAgain: string
  /** To the payment page on which the rest is paid. */
  payRest: string
  /** Before the order's number. */
  order: string
  checkAgain: string
  /** While the page asks, below an answer that may change. */
  checking: string
  /** Before the payment's id, by which the shop finds it. */
  reference: string
  /** To `backUrl`. */
  back: string
  /** Shown after an error, with `hasOtherWays`. */
  otherWay: string
  /** For a cart outside the limits; `{amount}` is filled in. */
  limit: { min: string; max: string }
  /** For an unpaid order; `{time}` is filled in. */
  orderKeptUntil: string
  /** For an unpaid order without a limit. */
  orderKept: string
  /** Shown before the remaining time. */
  timeLeft: string
  timeOver: string
  /** Why the payment could not be started; `unreachable` is used for missing ones. */
  errors: Partial<Record<CryptoPaymentErrorCode, string>> & { unreachable: string }
}

const REFUSED = {
  en: "This cannot be paid now. Check your order and try again.",
  ar: "لا يمكن الدفع الآن. راجع طلبك ثم حاول مرة أخرى.",
}

const en: CryptoPaymentTexts = {
  dir: "ltr",
  pay: "Pay with crypto",
  redirecting: "Opening the payment page…",
  alreadyPaid: "This is already paid. We are confirming your payment. Do not pay again.",
  tryAgain: "Try again",
  payRest: "Pay the rest",
  order: "Order",
  checkAgain: "Check again",
  checking: "Still checking…",
  reference: "Reference for the shop:",
  back: "Back to the shop",
  otherWay: "You can also choose another way to pay.",
  limit: { min: "Crypto payments start at {amount}.", max: "Crypto payments are for {amount} at most." },
  orderKeptUntil: "Your order is kept until {time}.",
  orderKept: "Your order is kept. You can pay it later.",
  timeLeft: "Time left to pay:",
  timeOver: "The time to pay this order is over.",
  waiting: {
    title: "Confirming your payment",
    text: "This takes a moment. Do not pay again. You may close this page: your order will be placed once the payment is confirmed.",
    textWithOrder:
      "This takes a moment. Do not pay again. You may close this page: your order will be marked as paid once the payment is confirmed.",
  },
  paid: { title: "Payment received", titleWithOrder: "Paid", text: "Thank you. Your order is placed." },
  unpaid: {
    title: "Not paid yet",
    text: "If you have just paid, wait a moment. Otherwise, try again.",
  },
  partial: {
    title: "Part of your payment has arrived",
    text: "Pay the rest on the same page. If you have just paid it, wait a moment.",
  },
  failed: {
    title: "The payment did not go through",
    text: "You can try again on a new payment page. If money has already left your wallet, do not pay again. Contact the shop.",
  },
  delayed: {
    title: "This is taking longer than usual",
    text: "Do not pay again. You may close this page: your order will be placed once the payment is confirmed.",
    textWithOrder:
      "Do not pay again. You may close this page: your order will be marked as paid once the payment is confirmed.",
  },
  review: {
    title: "Payment received, under review",
    text: "The shop is reviewing this payment and will contact you. Do not pay again.",
  },
  refunded: { title: "Payment sent back", text: "The shop has sent your payment back." },
  unknown: {
    title: "We cannot show this payment",
    titleWithOrder: "There is no such order",
    text: "Check the address of this page. If you have paid, do not pay again. Contact the shop.",
  },
  to_pay: {
    title: "To pay",
    text: "If you have just paid, wait a moment and open this page again.",
  },
  rest_to_pay: { title: "The rest to pay", text: "A part of this order is paid." },
  partially_refunded: {
    title: "Part of your payment sent back",
    text: "The shop has sent a part of your payment back.",
  },
  canceled: {
    title: "Order cancelled",
    text: "It no longer needs a payment. If you have paid, the shop will contact you.",
  },
  unreachable: { title: "The shop does not answer", text: "Try again in a minute." },
  errors: {
    nothing_to_pay: "Nothing has to be paid. Complete your order without payment.",
    refused: REFUSED.en,
    order_not_placed: REFUSED.en,
    unreachable:
      "Crypto payments are temporarily unavailable. If you have paid, do not pay again. Otherwise, try again in a minute.",
  },
}

const ar: CryptoPaymentTexts = {
  dir: "rtl",
  pay: "الدفع بالعملات المشفرة",
  redirecting: "جارٍ فتح صفحة الدفع…",
  alreadyPaid: "تم الدفع من قبل، ونحن نؤكد دفعتك. لا تدفع مرة أخرى.",
  tryAgain: "حاول مرة أخرى",
  payRest: "ادفع الباقي",
  order: "الطلب",
  checkAgain: "تحقق مرة أخرى",
  checking: "ما زلنا نتحقق…",
  reference: "مرجع للمتجر:",
  back: "العودة إلى المتجر",
  otherWay: "يمكنك أيضًا اختيار طريقة دفع أخرى.",
  limit: {
    min: "الدفع بالعملات المشفرة متاح ابتداءً من {amount}.",
    max: "الدفع بالعملات المشفرة متاح حتى {amount}.",
  },
  orderKeptUntil: "نحتفظ بطلبك حتى {time}.",
  orderKept: "نحتفظ بطلبك، ويمكنك دفعه لاحقًا.",
  timeLeft: "الوقت المتبقي للدفع:",
  timeOver: "انتهت مهلة دفع هذا الطلب.",
  waiting: {
    title: "جارٍ تأكيد الدفع",
    text: "يستغرق هذا لحظات. لا تدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: سيُنشأ طلبك حالما يتأكد الدفع.",
    textWithOrder:
      "يستغرق هذا لحظات. لا تدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: سيصبح طلبك مدفوعًا حالما يتأكد الدفع.",
  },
  paid: { title: "تم استلام الدفع", titleWithOrder: "مدفوع", text: "شكرًا لك. تم تسجيل طلبك." },
  unpaid: {
    title: "لم يتم الدفع بعد",
    text: "إذا كنت قد دفعت للتو فانتظر قليلًا، وإلا فحاول مرة أخرى.",
  },
  partial: {
    title: "وصل جزء من دفعتك",
    text: "ادفع الباقي في الصفحة نفسها. إذا دفعته للتو فانتظر قليلًا.",
  },
  failed: {
    title: "لم تكتمل عملية الدفع",
    text: "يمكنك المحاولة مرة أخرى في صفحة دفع جديدة. إذا خرج المبلغ من محفظتك فلا تدفع مرة أخرى، وتواصل مع المتجر.",
  },
  delayed: {
    title: "يستغرق الأمر وقتًا أطول من المعتاد",
    text: "لا تدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: سيُنشأ طلبك حالما يتأكد الدفع.",
    textWithOrder: "لا تدفع مرة أخرى. يمكنك إغلاق هذه الصفحة: سيصبح طلبك مدفوعًا حالما يتأكد الدفع.",
  },
  review: {
    title: "تم استلام الدفع وهو قيد المراجعة",
    text: "يراجع المتجر هذه الدفعة وسيتواصل معك. لا تدفع مرة أخرى.",
  },
  refunded: { title: "تمت إعادة المبلغ", text: "أعاد المتجر إليك المبلغ الذي دفعته." },
  unknown: {
    title: "تعذر عرض هذه الدفعة",
    titleWithOrder: "لا يوجد طلب كهذا",
    text: "تحقق من عنوان هذه الصفحة. إذا كنت قد دفعت فلا تدفع مرة أخرى، وتواصل مع المتجر.",
  },
  to_pay: {
    title: "المبلغ المطلوب",
    text: "إذا كنت قد دفعت للتو فانتظر قليلًا ثم افتح هذه الصفحة مرة أخرى.",
  },
  rest_to_pay: { title: "الباقي المطلوب دفعه", text: "دُفع جزء من هذا الطلب من قبل." },
  partially_refunded: {
    title: "تمت إعادة جزء من المبلغ",
    text: "أعاد المتجر إليك جزءًا من المبلغ الذي دفعته.",
  },
  canceled: {
    title: "الطلب ملغى",
    text: "لا يلزم دفع هذا الطلب. إذا كنت قد دفعت فسيتواصل المتجر معك.",
  },
  unreachable: { title: "المتجر لا يستجيب", text: "حاول مرة أخرى بعد دقيقة." },
  errors: {
    nothing_to_pay: "لا يوجد مبلغ مستحق. أكمل طلبك دون دفع.",
    refused: REFUSED.ar,
    order_not_placed: REFUSED.ar,
    unreachable:
      "الدفع بالعملات المشفرة غير متاح مؤقتًا. إذا كنت قد دفعت فلا تدفع مرة أخرى، وإلا فحاول مرة أخرى بعد دقيقة.",
  },
}

/** The built-in texts, as a base for a shop's own. */
export const cryptoPaymentTexts: Record<CryptoPaymentLanguage, CryptoPaymentTexts> = { en, ar }

/** Why a payment could not be started, for its payer. */
export function cryptoPaymentErrorText(code: CryptoPaymentErrorCode, language?: string): string {
  const { errors } = textsIn(language)
  return errors[code] ?? errors.unreachable
}

/** @param language as "ar" or "ar-AE"; any other language gets English */
export function textsIn(language = "en", own: Partial<CryptoPaymentTexts> = {}): CryptoPaymentTexts {
  const texts = /^ar\b/i.test(language) ? ar : en
  return { ...texts, ...own, errors: { ...texts.errors, ...own.errors } }
}
