import { bookingWithoutPayment } from "./booking-without-payment"
import { captureBookedTwice } from "./capture-booked-twice"
import { captureNotBooked } from "./capture-not-booked"
import { capturedOtherwise } from "./captured-otherwise"
import { capturedTwice } from "./captured-twice"
import { capturedWithoutPaid } from "./captured-without-paid"
import { collectionCurrencyDiffers } from "./collection-currency-differs"
import { collectionSumsDiffer } from "./collection-sums-differ"
import { eventNotSent } from "./event-not-sent"
import { ghostOrder } from "./ghost-order"
import { linkNotWatched } from "./link-not-watched"
import { notSettled } from "./not-settled"
import { orderCanceled } from "./order-canceled"
import { orderDeleted } from "./order-deleted"
import { orderMissing } from "./order-missing"
import { orderNotAnnounced } from "./order-not-announced"
import { orderSumsDiffer } from "./order-sums-differ"
import { paidWithoutCapture } from "./paid-without-capture"
import { paymentRecordedTwice } from "./payment-recorded-twice"
import { providerMissing } from "./provider-missing"
import { refundNotBooked } from "./refund-not-booked"
import { refundNotFinished } from "./refund-not-finished"
import { refundNotRegistered } from "./refund-not-registered"
import { refundedWithoutRefund } from "./refunded-without-refund"
import { sessionPaidTwice } from "./session-paid-twice"
import { twoOrders } from "./two-orders"
import type { AuditRule } from "../audit-rule"

/** Everything the audit looks for, by the invariant that it proves. */
export const AUDIT_RULES: readonly AuditRule[] = [
  bookingWithoutPayment,
  captureBookedTwice,
  captureNotBooked,
  capturedOtherwise,
  capturedTwice,
  capturedWithoutPaid,
  collectionCurrencyDiffers,
  collectionSumsDiffer,
  eventNotSent,
  ghostOrder,
  linkNotWatched,
  notSettled,
  orderCanceled,
  orderDeleted,
  orderMissing,
  orderNotAnnounced,
  orderSumsDiffer,
  paidWithoutCapture,
  paymentRecordedTwice,
  providerMissing,
  refundNotBooked,
  refundNotFinished,
  refundNotRegistered,
  refundedWithoutRefund,
  sessionPaidTwice,
  twoOrders,
].sort((a, b) => `${a.invariant} ${a.name}`.localeCompare(`${b.invariant} ${b.name}`))

export const AUDIT_RULE_NAMES = AUDIT_RULES.map(({ name }) => name)
