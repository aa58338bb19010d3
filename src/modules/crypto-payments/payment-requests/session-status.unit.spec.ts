import { OPEN_ROW } from "../../../decision/example-row.spec"
import {
  isOrderKept,
  isUnderReview,
  isUnderWay,
  toShopperStatus,
  type SessionStatusRow,
} from "./session-status"

const NOW = new Date("2026-01-10T12:00:00Z")
const open = {
  ...OPEN_ROW,
  gateway_status: "UNPAID",
  gateway_amount: "20.01",
  is_order_covered: false,
  database_now: NOW,
} as SessionStatusRow

const DAY_AGO = new Date(NOW.getTime() - 24 * 3_600_000)
const PART = { paid_amount: "0.1" }

describe("toShopperStatus", () => {
  it.each([
    ["a link nobody has paid", {}, "awaiting_payment"],
    [
      "a link being created",
      { state: "creating" as const, gateway_status: null, gateway_amount: null },
      "awaiting_payment",
    ],
    [
      "a link just created, which the gateway calls PENDING",
      { gateway_status: "PENDING", gateway_amount: null },
      "awaiting_payment",
    ],
    ["an end", { gateway_status: "EXPIRED" }, "failed"],
    [
      "an end in the answer to the creation",
      { gateway_status: "EXPIRED", gateway_amount: null },
      "awaiting_payment",
    ],
    ["a word we do not know", { gateway_status: "CONFIRMING" }, "processing"],
    [
      "a word we do not know whose case an admin user has closed",
      { gateway_status: "COMPLETED", status_since: NOW, denied_at: NOW },
      "awaiting_payment",
    ],
    ["PAID reported of another link for the same", { is_other_reported: true }, "processing"],
    ["the word PAID in lower case", { gateway_status: "paid" }, "processing"],
    [
      "a word we do not know in the answer to the creation",
      { gateway_status: "NEW", gateway_amount: null },
      "awaiting_payment",
    ],
    ["PAID after an end", { gateway_status: "EXPIRED", paid_at: NOW }, "processing"],
    ["UNPAID just after a notification of PAID", { is_reported_paid: true }, "processing"],
    ["PENDING on a read", { gateway_status: "PENDING" }, "processing"],
    [
      "PENDING for a day on a link that was replaced",
      { state: "superseded" as const, gateway_status: "PENDING", status_since: DAY_AGO },
      "processing",
    ],
    ["PENDING for a day", { gateway_status: "PENDING", status_since: DAY_AGO }, "awaiting_payment"],
    ["PAID, not captured", { state: "paid" as const, paid_at: NOW }, "processing"],
    ["PAID on a link that was replaced", { state: "superseded" as const, paid_at: NOW }, "processing"],
    ["captured", { state: "captured" as const, paid_at: NOW, captured_at: NOW }, "paid"],
    ["refunded", { state: "refunded" as const, paid_at: NOW, captured_at: NOW }, "failed"],
    ["a replaced link", { state: "superseded" as const }, "failed"],
    [
      "PENDING on a link that was replaced",
      { state: "superseded" as const, gateway_status: "PENDING" },
      "processing",
    ],
    ["an open link whose order was paid another way", { is_order_covered: true }, "paid"],
    [
      "a closed link whose order was paid another way",
      { state: "closed" as const, is_order_covered: true },
      "paid",
    ],
    [
      "a payment under way for an order that was paid another way",
      { gateway_status: "PENDING", is_order_covered: true },
      "processing",
    ],
    ["a part", PART, "awaiting_payment"],
    [
      "a part, and the gateway cannot be read",
      { ...PART, attention_reason: "gateway_unreadable" },
      "awaiting_payment",
    ],
    ["a part on a link that was replaced", { ...PART, state: "superseded" as const }, "processing"],
    ["a part on a link that has ended", { ...PART, gateway_status: "EXPIRED" }, "processing"],
    ["a part of a cancelled order", { ...PART, is_order_canceled: true }, "failed"],
    ["PENDING of a cancelled order", { gateway_status: "PENDING", is_order_canceled: true }, "failed"],
    ["PAID reported of a cancelled order", { is_reported_paid: true, is_order_canceled: true }, "processing"],
    ["a part that is being confirmed", { ...PART, gateway_status: "PENDING" }, "processing"],
    [
      "a part that has been confirmed for too long",
      { ...PART, gateway_status: "PENDING", attention_reason: "partly_paid" },
      "awaiting_payment",
    ],
    ["a closed link", { state: "closed" as const, gateway_status: "PENDING" }, "failed"],
  ])("of %s is right", (_, changes, expected) => {
    expect(toShopperStatus({ ...open, ...changes })).toBe(expected)
  })
})

describe("isUnderWay", () => {
  it.each([
    ["UNPAID", {}, false],
    ["PAID is reported", { is_reported_paid: true }, true],
    ["a part has arrived", PART, true],
    ["a part was sent back", { ...PART, attention_reason: "partly_paid", attention_resolved_at: NOW }, false],
    [
      "a part is another account's, and its case is closed",
      { ...PART, state: "closed" as const, denied_at: NOW },
      false,
    ],
    ["PENDING since now", { gateway_status: "PENDING", status_since: NOW }, true],
    ["PENDING for a day", { gateway_status: "PENDING", status_since: DAY_AGO }, false],
    ["an unknown word for a day", { gateway_status: "COMPLETED", status_since: DAY_AGO }, true],
  ])("%s: %j is %s", (_, changes, expected) => {
    expect(isUnderWay({ ...open, ...changes })).toBe(expected)
  })
})

describe("isOrderKept", () => {
  const placed = { ...open, placed_order_id: "order_1", unpaid_order_id: "order_1" }
  const paid = { ...placed, state: "paid" as const, unpaid_order_id: null, paid_at: NOW }

  it.each([
    ["its order is unpaid", placed, true],
    ["a notification of PAID has just arrived", { ...placed, is_reported_paid: true }, true],
    ["the payment is in progress", { ...placed, gateway_status: "PENDING" }, true],
    ["there is no order", { ...placed, placed_order_id: null, unpaid_order_id: null }, false],
    ["its order is cancelled", { ...placed, unpaid_order_id: null }, false],
    ["its order was paid another way", { ...placed, is_order_covered: true }, false],
    ["its money is not captured yet", paid, true],
    ["its money is not captured yet and its order is cancelled", { ...paid, is_order_canceled: true }, false],
    ["its money is not captured yet and there is no order", { ...paid, placed_order_id: null }, false],
    ["its money is under review", { ...paid, attention_reason: "paid_on_canceled" }, false],
    ["its money is captured", { ...paid, captured_at: NOW }, false],
    ["its money was sent back", { ...paid, state: "refunded" as const }, false],
  ])("when %s: %s", (_, row, expected) => {
    expect(isOrderKept(row)).toBe(expected)
  })
})

describe("isUnderReview", () => {
  const orphan = { ...OPEN_ROW, paid_at: NOW, attention_reason: "orphan_paid" }

  it.each([
    ["money came and needs manual review", {}, true],
    ["its case was closed and no order came of it", { attention_resolved_at: NOW }, true],
    ["there is an order and the case is closed", { settled_at: NOW, attention_resolved_at: NOW }, false],
    ["there is no case", { attention_reason: null }, false],
    ["its order owes more", { settled_at: NOW, attention_reason: "order_underpaid" }, false],
    ["nothing was paid", { paid_at: null, attention_reason: "gateway_refuses" }, false],
  ])("when %s: %s", (_, changes, expected) => {
    expect(isUnderReview({ ...orphan, ...changes })).toBe(expected)
  })
})
