import type { CryptoPaymentStatus } from "../index"
import { toView, type ViewFacts } from "./view"

const AWAITING: CryptoPaymentStatus = { status: "awaiting_payment", retryAfterS: 5 }
const PROCESSING: CryptoPaymentStatus = { status: "processing", retryAfterS: 2 }
const PLACING: CryptoPaymentStatus = { status: "paid", retryAfterS: 2 }

const facts = (status: CryptoPaymentStatus | undefined, more: Partial<ViewFacts> = {}): ViewFacts => ({
  status,
  hasEnded: false,
  isSlow: false,
  hintsFailure: false,
  ...more,
})

describe("toView", () => {
  it.each([
    ["nothing heard yet", facts(undefined), "waiting"],
    ["nothing heard for long", facts(undefined, { isSlow: true }), "delayed"],
    ["nothing heard until the page stopped asking", facts(undefined, { hasEnded: true }), "delayed"],
    ["nothing paid so far", facts(AWAITING), "waiting"],
    ["nothing paid for long", facts(AWAITING, { isSlow: true }), "unpaid"],
    ["nothing paid, back from the failed page", facts(AWAITING, { hintsFailure: true }), "unpaid"],
    ["a part has arrived", facts({ ...AWAITING, partArrived: true }), "partial"],
    ["under way", facts(PROCESSING), "waiting"],
    ["under way, back from the failed page", facts(PROCESSING, { hintsFailure: true }), "waiting"],
    ["under way for long", facts(PROCESSING, { isSlow: true }), "delayed"],
    ["the shop is checking", facts({ ...PROCESSING, review: true }), "review"],
    ["paid, no order yet", facts(PLACING), "waiting"],
    ["paid, no order for long", facts(PLACING, { isSlow: true }), "delayed"],
    ["paid, the shop is checking", facts({ ...PLACING, review: true }), "review"],
    ["paid, with its order", facts({ status: "paid", orderId: "order_1" }), "paid"],
    [
      "paid, back from the failed page",
      facts({ status: "paid", orderId: "order_1" }, { hintsFailure: true }),
      "paid",
    ],
    [
      "paid, the order checked after it was placed",
      facts({ status: "paid", orderId: "o", review: true }),
      "paid",
    ],
    ["paid, and whose order it is is not told here", facts({ status: "paid" }), "paid"],
    ["failed, and perhaps paid all the same", facts({ status: "failed", retryAfterS: 2 }), "waiting"],
    ["failed", facts({ status: "failed" }), "unpaid"],
    ["the attempt ended without a payment", facts({ status: "failed", attemptFailed: true }), "failed"],
    [
      "the attempt seems to have ended, and the shop still asks",
      facts({ status: "failed", attemptFailed: true, retryAfterS: 2 }),
      "failed",
    ],
    [
      "the attempt seemed to have ended, and was paid",
      facts({ status: "paid", orderId: "o", attemptFailed: false }),
      "paid",
    ],
    ["the order is cancelled", facts({ status: "failed", orderCanceled: true }), "canceled"],
    [
      "the order is cancelled, and perhaps paid all the same",
      facts({ status: "failed", orderCanceled: true, retryAfterS: 2 }),
      "waiting",
    ],
    [
      "the order is cancelled, and the shop cannot ask for long whether it was paid",
      facts({ status: "failed", orderCanceled: true, retryAfterS: 2 }, { isSlow: true }),
      "canceled",
    ],
    [
      "the order is cancelled, and the money was sent back",
      facts({ status: "failed", orderCanceled: true, refunded: true }),
      "refunded",
    ],
    ["sent back", facts({ status: "failed", refunded: true }), "refunded"],
    [
      "sent back, back from the failed page",
      facts({ status: "failed", refunded: true }, { hintsFailure: true }),
      "refunded",
    ],
    ["sent back, and once checked", facts({ status: "failed", refunded: true, review: true }), "refunded"],
    ["unknown", facts({ status: "unknown" }), "unknown"],
  ] as const)("%s", (_name, given, view) => {
    expect(toView(given)).toBe(view)
  })
})
