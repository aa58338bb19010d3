import { readFileSync } from "node:fs"
import { decide, type DecidedFacts, type DecidedRow, type Decision, type DecisionInput } from "./decision"
import { EXAMPLES, expiring, failed, hoursAgo, input, NOW, read } from "./decision/example-decision.spec"
import { FORGOTTEN as OVER } from "./decision/example-decision.spec"

/** One row of the table: what is in its first two cells, and examples of it with what `decide` makes of them. */
type Row = [gatewaySays: string, medusaHas: string, ...examples: [DecisionInput, Decision][]]

const attention = (reason: Extract<Decision, { kind: "attention" }>["reason"]): Decision => ({
  kind: "attention",
  reason,
})

const paid = (facts: Partial<DecidedFacts> = {}, row: Partial<DecidedRow> = {}): DecisionInput =>
  input(read("PAID"), facts, row)

const { captured, noSession, placedOrder, unpaidOrder: UNPAID_ORDER } = EXAMPLES
const NEITHER = noSession
const CLOSED = { state: "closed" } as const
const LATE = { ...UNPAID_ORDER, ...expiring(NOW) }
const LATE_BY_A_DAY = { ...UNPAID_ORDER, ...expiring(hoursAgo(24)) }
const PAID_OTHERWISE = { ...placedOrder, paid_by_another: true }
const CANCELED = { ...placedOrder, order_canceled: true }
const PART = { paid_amount: "0.00031265625000", gateway_amount: "20.01" }
const REPORTED = { is_reported_paid: true, notified_at: hoursAgo(1) }
/** As a gateway does that has renamed PAID. */
const RENAMED = { gateway_status: "COMPLETED", gateway_amount: "20.01", status_since: hoursAgo(1) }
/** An admin user has closed the case of it. */
const DENIED = { ...REPORTED, denied_at: NOW }
const ORDERED = { ...captured, ...placedOrder }

const PAID: Row[] = [
  ["PAID, equal", "a live session, not captured", [paid(), { kind: "capture" }]],
  ["same", "captured, order placed and booked", [paid(ORDERED), { kind: "done" }]],
  [
    "same",
    "captured, and never had a cart or an order: a separate payment collection",
    [paid({ ...captured, cart_id: null }), { kind: "done" }],
  ],
  [
    "same",
    "captured, order linked, the capture not booked on it yet",
    [paid({ ...captured, ...placedOrder, order_booked: false }), { kind: "confirm" }],
  ],
  [
    "same",
    "captured, order linked, another amount booked, or not in its sums",
    [paid({ ...captured, ...placedOrder, order_booked: false }), { kind: "confirm" }],
  ],
  ["same", "captured, order not placed (stock…)", [paid(captured), attention("paid_without_order")]],
  [
    "same",
    "captured, order not placed, and its cart asks for another amount or currency by now",
    [paid({ ...captured, asked_amount: "35.02" }), attention("amount_mismatch")],
    [paid({ ...captured, asked_currency_code: "aed" }), attention("amount_mismatch")],
  ],
  [
    "same",
    "captured, order not placed, a part registered as sent back",
    [paid({ ...captured, registered_refund: "1.00" }), attention("orphan_paid")],
  ],
  [
    "same",
    "captured, then the order was cancelled",
    [paid({ ...captured, ...CANCELED }), attention("paid_on_canceled")],
  ],
  [
    "same",
    "captured, and its order is in another currency",
    [paid({ ...ORDERED, asked_currency_code: "aed" }), attention("amount_mismatch")],
    [paid({ ...ORDERED, asked_currency_code: "aed", order_unpaid: "-53.49" }), attention("amount_mismatch")],
  ],
  [
    "same",
    "captured, and its order was deleted",
    [paid({ ...captured, order_deleted: true }), attention("paid_on_canceled")],
    [paid({ ...captured, order_deleted: true, cart_id: null }), attention("paid_on_canceled")],
  ],
  [
    "same",
    "captured for a cart, or less than its collection asks for; more is owed on the order",
    [paid({ ...captured, ...UNPAID_ORDER }), { kind: "done", attention: "order_underpaid" }],
    [
      paid({ ...captured, ...UNPAID_ORDER, cart_id: null, collection_amount: "35.02" }),
      { kind: "done", attention: "order_underpaid" },
    ],
  ],
  [
    "same",
    "captured, all that the order's own collection asks for; more is owed on the order",
    [paid({ ...captured, ...UNPAID_ORDER, cart_id: null }), { kind: "done" }],
  ],
  [
    "same",
    "captured just now, or paid another way later; more than the order costs",
    ...[{}, { is_paid_again: true }].map((change): [DecisionInput, Decision] => [
      paid(
        { ...captured, ...placedOrder, order_unpaid: "-0.01", ...change },
        { settled_at: "is_paid_again" in change ? NOW : null }
      ),
      { kind: "done", attention: "order_overpaid" },
    ]),
  ],
  [
    "same",
    "captured, and a part of what was paid twice was sent back; more than the order costs is left",
    [
      paid(
        { ...ORDERED, order_unpaid: "-15.01" },
        { settled_at: NOW, attention_reason: "duplicate_payment", attention_since: NOW }
      ),
      { kind: "done", attention: "order_overpaid" },
    ],
  ],
  ["same", "refunded in full", [paid({ ...captured, payment_refunded: "20.01" }), { kind: "refunded" }]],
  [
    "same",
    "not captured, all of it registered as sent back",
    [paid({ registered_refund: "20.01" }), { kind: "refunded" }],
  ],
  [
    "same",
    "not captured, a part registered as sent back, its order neither cancelled nor otherwise paid",
    [paid({ registered_refund: "1.00" }), attention("orphan_paid")],
  ],
  [
    "same",
    "session deleted, an unpaid collection of its cart or order asks for the same amount",
    [paid({ ...noSession, adopting_collection_id: "pay_col_1" }), { kind: "adopt" }],
  ],
  [
    "same",
    "session deleted, and no collection asks for that amount",
    [paid(noSession), attention("orphan_paid")],
    // Less than the smallest coin is money too.
    [paid(noSession, { amount: "0.001", gateway_amount: "0.001" }), attention("orphan_paid")],
    [paid({ ...noSession, ...UNPAID_ORDER, cart_id: null }), attention("orphan_paid")],
  ],
  [
    "same",
    "captured and booked, the order is also paid another way, also if later",
    ...[{}, { is_paid_again: true }].map((change): [DecisionInput, Decision] => [
      paid(
        { ...ORDERED, paid_by_another: true, ...change },
        { settled_at: "is_paid_again" in change ? NOW : null }
      ),
      { kind: "done", attention: "duplicate_payment" },
    ]),
  ],
  [
    "same",
    "not captured, the cart or order is paid another way",
    [paid({ paid_by_another: true }), attention("duplicate_payment")],
    [paid({ ...PAID_OTHERWISE, registered_refund: "1.00" }), attention("duplicate_payment")],
    [paid(PAID_OTHERWISE), attention("duplicate_payment")],
  ],
  [
    "same",
    "not captured, its cart, order or collection asks for another amount or currency by now",
    [paid({ asked_amount: "35.02" }), attention("amount_mismatch")],
    [paid({ asked_currency_code: "aed" }), attention("amount_mismatch")],
    [paid({ ...UNPAID_ORDER, asked_currency_code: "aed" }), attention("amount_mismatch")],
    [paid({ cart_id: null, asked_amount: null, asked_currency_code: "aed" }), attention("amount_mismatch")],
  ],
  [
    "same",
    "not captured, a duplicate of a payment of which a part was sent back",
    [
      paid({ ...placedOrder, order_unpaid: "5.00" }, { attention_reason: "duplicate_payment" }),
      attention("duplicate_payment"),
    ],
  ],
  [
    "same",
    "not captured, the order is cancelled",
    [paid(CANCELED), attention("paid_on_canceled")],
    [paid({ ...CANCELED, registered_refund: "1.00" }), attention("paid_on_canceled")],
  ],
  [
    "same",
    "received ten minutes ago, not captured, core cannot: its provider is not registered",
    [paid({ provider_missing: true }, { paid_at: hoursAgo(1 / 6) }), attention("provider_missing")],
  ],
  [
    "same",
    "received less long ago: another instance may know the provider",
    [paid({ provider_missing: true }, { paid_at: hoursAgo(0.16) }), { kind: "retry" }],
  ],
  [
    "PAID, not equal",
    "anything",
    [input(read("PAID", { gateway_amount: "20.02" })), attention("amount_mismatch")],
    [input(read("PAID", { gateway_currency_symbol: "AED" }), ORDERED), attention("amount_mismatch")],
  ],
]

const TABLE: Row[] = [
  [
    "UNPAID, PENDING, or an end (`UNKNOWN`)",
    "a live session or an unpaid order",
    [input(read("UNPAID"), {}, OVER), { kind: "wait" }],
    [input(read("PENDING"), { ...noSession, ...UNPAID_ORDER }, OVER), { kind: "wait" }],
    [input(read("UNKNOWN")), { kind: "wait" }],
    [
      input(
        read("PENDING"),
        {},
        { gateway_status: "Pending", gateway_amount: "20.01", status_since: hoursAgo(1) }
      ),
      { kind: "wait" },
    ],
  ],
  ["same", "neither, within 7 days", [input(read("UNPAID"), NEITHER), { kind: "wait" }]],
  ["same", "neither, after 7 days", [input(read("PENDING"), NEITHER, OVER), { kind: "close" }]],
  [
    "same",
    "an order that was paid another way",
    [input(read("UNPAID"), PAID_OTHERWISE), { kind: "withdraw" }],
    [input(read("UNPAID"), PAID_OTHERWISE, OVER), { kind: "close" }],
  ],
  [
    "same",
    "an order that was cancelled or deleted",
    [input(read("UNPAID"), CANCELED), { kind: "withdraw" }],
    [input(read("UNPAID"), { order_deleted: true }), { kind: "withdraw" }],
    [input(read("UNPAID"), CANCELED, OVER), { kind: "close" }],
  ],
  [
    "UNPAID or an end, and a part has arrived",
    "anything",
    ...[{}, NEITHER, LATE_BY_A_DAY, PAID_OTHERWISE, CANCELED].map((facts): [DecisionInput, Decision] => [
      input(read("UNPAID"), facts, { ...PART, ...OVER }),
      attention("partly_paid"),
    ]),
    [
      input(read("UNPAID"), {}, { ...PART, is_reported_paid: true, notified_at: hoursAgo(0.99) }),
      attention("partly_paid"),
    ],
    [input(read("UNPAID"), {}, { ...PART, ...DENIED }), attention("partly_paid")],
    [input(read("UNKNOWN"), NEITHER, { ...PART, ...OVER }), attention("partly_paid")],
  ],
  [
    "PENDING or an unknown word, and a part has arrived, for an hour",
    "same",
    [input(read("PENDING"), LATE_BY_A_DAY, { ...PART, status_since: hoursAgo(1) }), attention("partly_paid")],
    [
      input(read("PENDING"), {}, { ...PART, gateway_status: "UNDERPAID", status_since: hoursAgo(1) }),
      attention("partly_paid"),
    ],
    [
      input(read("PENDING"), {}, { ...PART, status_since: NOW, attention_reason: "partly_paid" }),
      attention("partly_paid"),
    ],
  ],
  [
    "PENDING or an unknown word, and a part has arrived, for less",
    "same",
    ...[LATE_BY_A_DAY, PAID_OTHERWISE].map((facts): [DecisionInput, Decision] => [
      input(read("PENDING"), facts, { ...PART, ...OVER, status_since: hoursAgo(0.99) }),
      { kind: "wait" },
    ]),
  ],
  [
    "UNPAID, PENDING, or an end, a part has arrived, an hour after a notification or the list said PAID",
    "same",
    ...[{}, NEITHER, LATE_BY_A_DAY, PAID_OTHERWISE, CANCELED].map((facts): [DecisionInput, Decision] => [
      input(read("UNPAID"), facts, { ...PART, ...REPORTED }),
      attention("gateway_unclear"),
    ]),
    [input(read("PENDING"), {}, { ...PART, ...REPORTED, status_since: NOW }), attention("gateway_unclear")],
    [
      input(
        read("UNPAID"),
        {},
        { ...PART, ...REPORTED, attention_reason: "partly_paid", attention_since: hoursAgo(1) }
      ),
      attention("gateway_unclear"),
    ],
  ],
  [
    "UNPAID, PENDING, or an end, an hour after a notification or the list said PAID",
    "anything but an order whose time is over by a day",
    ...[{}, NEITHER, UNPAID_ORDER, PAID_OTHERWISE, CANCELED].map((facts): [DecisionInput, Decision] => [
      input(read("UNPAID"), facts, REPORTED),
      attention("gateway_unclear"),
    ]),
    [input(read("PENDING"), NEITHER, { ...REPORTED, ...OVER }), attention("gateway_unclear")],
    // Another word that says nothing certain does not end it.
    [
      input(read("PENDING"), {}, { ...REPORTED, gateway_status: "CONFIRMING", status_since: NOW }),
      attention("gateway_unclear"),
    ],
  ],
  [
    "a status that is neither in the interface nor an end, for an hour",
    "same",
    ...["COMPLETED", "paid", "UNDERPAID"].map((gateway_status): [DecisionInput, Decision] => [
      input(read("PENDING"), {}, { gateway_status, gateway_amount: "20.01", status_since: hoursAgo(1) }),
      attention("gateway_unclear"),
    ]),
    [
      // An admin user has closed the case of what a notification said before.
      input(
        read("PENDING"),
        {},
        {
          ...RENAMED,
          ...{ is_reported_paid: true, notified_at: hoursAgo(3), denied_at: hoursAgo(2) },
        }
      ),
      attention("gateway_unclear"),
    ],
  ],
  [
    "the same, for less",
    "anything but an order whose time is over by a day, that is paid another way, cancelled or deleted",
    ...[NEITHER, LATE].map((facts): [DecisionInput, Decision] => [
      input(read("PENDING"), facts, { ...OVER, ...RENAMED, status_since: hoursAgo(0.99) }),
      { kind: "wait" },
    ]),
  ],
  ["UNPAID", "an order placed unpaid, its time over", [input(read("UNPAID"), LATE), { kind: "expire" }]],
  ["same", "the same, and core cannot cancel it", [input(read("UNPAID"), LATE), { kind: "expire" }]],
  [
    "PENDING, an end, or UNPAID after a notification of PAID",
    "same",
    [input(read("PENDING"), LATE), { kind: "wait" }],
    [input(read("UNKNOWN"), LATE), { kind: "wait" }],
    [input(read("UNPAID"), LATE, DENIED), { kind: "wait" }],
    [input(read("PENDING"), LATE_BY_A_DAY), { kind: "expire" }],
    [input(read("UNPAID"), LATE_BY_A_DAY, REPORTED), { kind: "expire" }],
  ],
  ...PAID,
  [
    "anything, after PAID was recorded",
    "",
    [input(read("UNPAID"), {}, { paid_at: NOW }), { kind: "capture" }],
  ],
  [
    "refused, or not known to the gateway",
    "nothing is expected, after 7 days, and nothing says that money arrived",
    [input(failed("refused", 0), NEITHER, OVER), { kind: "close" }],
    [input(failed("unknown_to_gateway", 0), NEITHER, OVER), { kind: "close" }],
  ],
  [
    "not known to the gateway for an hour",
    "a live session of a cart that is no order, after 7 days, and nothing says that money arrived",
    [input(failed("unknown_to_gateway", 1), {}, OVER), { kind: "close" }],
  ],
  [
    "the gateway itself answers for an hour that it has no such payment",
    "an unpaid order, its time over; by a day, if the last word may mean PAID",
    [input(failed("unknown_to_gateway", 1), LATE), { kind: "expire" }],
    [input(failed("unknown_to_gateway", 1), LATE_BY_A_DAY, RENAMED), { kind: "expire" }],
  ],
  [
    "same",
    "a cancelled order, and nothing says that money arrived",
    [input(failed("unknown_to_gateway", 1), CANCELED), { kind: "close" }],
  ],
  [
    "refused for an hour, or not known to the gateway for an hour",
    "anything",
    [input(failed("refused", 1)), attention("gateway_refuses")],
    [input(failed("unknown_to_gateway", 1)), attention("gateway_refuses")],
  ],
  [
    "not asked for an hour: the provider is not registered",
    "anything",
    [input(failed("provider_missing", 1), NEITHER, OVER), attention("provider_missing")],
  ],
  [
    "not asked: made at a former address, not closed",
    "anything",
    [input(failed("former_address", 1000), NEITHER, OVER), { kind: "retry" }],
    [input(failed("former_address", 1000), LATE), { kind: "retry" }],
  ],
  [
    "the same, and closed",
    "anything",
    [input(failed("former_address", 0), {}, CLOSED), { kind: "close" }],
    [input(failed("former_address", 0), LATE, CLOSED), { kind: "close" }],
    [input(failed("former_address", 0), CANCELED, CLOSED), { kind: "close" }],
  ],
  [
    "made at a former address, closed or for an hour, and a notification, a part or an unknown word says that money arrived",
    "anything",
    ...[PART, RENAMED].map((money): [DecisionInput, Decision] => [
      input(failed("former_address", 0), {}, { ...money, ...CLOSED }),
      attention("gateway_unreadable"),
    ]),
    [input(failed("former_address", 1), {}, { is_reported_paid: true }), attention("gateway_unreadable")],
    [
      input(failed("former_address", 0), LATE, { is_reported_paid: true, ...CLOSED }),
      attention("gateway_unreadable"),
    ],
  ],
  [
    "unavailable or malformed for 24 hours",
    "anything",
    [input(failed("unreadable", 24)), attention("gateway_unreadable")],
  ],
  [
    "not read for 24 hours, in changing ways",
    "anything",
    [input(failed("refused", 0.5, hoursAgo(24))), attention("gateway_unreadable")],
  ],
  [
    "any of these for less",
    "anything",
    [input(failed("refused", 0.99)), { kind: "retry" }],
    [input(failed("unknown_to_gateway", 0.99)), { kind: "retry" }],
    [input(failed("provider_missing", 0.99)), { kind: "retry" }],
    [input(failed("unreadable", 23.9)), { kind: "retry" }],
    [input(failed("former_address", 0.99), {}, { is_reported_paid: true }), { kind: "retry" }],
  ],
]

/** How the table writes a decision. */
function written(decision: Decision): string {
  switch (decision.kind) {
    case "attention":
      return `attention \`${decision.reason}\``
    case "done":
      return decision.attention === undefined ? "done" : `done, with attention \`${decision.attention}\``
    default:
      return decision.kind
  }
}

/** The cells of the table of docs/architecture.md. */
function readTable(): string[][] {
  const [, page = ""] = readFileSync("docs/architecture.md", "utf8").split("\n## The decision\n")
  const lines = page.split("\n\n").find((block) => block.startsWith("| gateway says"))
  return (lines ?? "")
    .split("\n")
    .slice(2)
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
}

describe("the decision table of docs/architecture.md", () => {
  const cells = readTable()

  it("has these rows in this order", () => {
    expect(cells.map(([says, has]) => [says, has])).toEqual(TABLE.map(([says, has]) => [says, has]))
    expect(cells.filter(([, , decision]) => decision === "decided as PAID")).toHaveLength(1)
  })

  it.each(TABLE)("is what `decide` does: %s, %s", (says, has, ...examples) => {
    const row = cells.find((_, index) => TABLE[index]?.[0] === says && TABLE[index][1] === has)
    const decision = row?.[2] ?? ""
    expect(examples.map(([example]) => decide(example))).toEqual(examples.map(([, expected]) => expected))
    const words = [...new Set(examples.map(([, expected]) => written(expected)))]
    // The row of a recorded PAID refers to the rows of PAID.
    const isDecided = decision.startsWith(words[0] ?? "?") && words.every((word) => decision.includes(word))
    expect(isDecided || decision === "decided as PAID").toBe(true)
  })
})
