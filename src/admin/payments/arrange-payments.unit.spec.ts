import type { CryptoPayment } from "../../http-contract"
import { arrangePayments } from "./payment"

const payment = (id: string, facts: Partial<CryptoPayment> = {}) =>
  ({
    id,
    state: "superseded",
    paid_at: null,
    attention_reason: null,
    attention_resolved_at: null,
    ...facts,
  }) as CryptoPayment

const arranged = (...payments: CryptoPayment[]) => {
  const { shown, earlier } = arrangePayments(payments)
  return [shown.map(({ id }) => id), earlier.map(({ id }) => id)]
}

const captured = payment("captured", { state: "captured", paid_at: "2026-11-22T10:00:00Z" })
const open = payment("open", { state: "open" })
const orphan = payment("orphan", {
  state: "paid",
  paid_at: "2026-11-22T11:00:00Z",
  attention_reason: "orphan_paid",
})
const failed = payment("failed", { state: "closed" })
const replaced = payment("replaced")

describe("an order's payments", () => {
  it("are the one that was paid, with the attempts before it apart", () => {
    expect(arranged(failed, replaced, captured)).toEqual([["captured"], ["replaced", "failed"]])
  })

  it("begin with open cases", () => {
    expect(arranged(captured, orphan, replaced)).toEqual([["orphan", "captured"], ["replaced"]])
  })

  it("are the link that waits, while nothing is paid", () => {
    expect(arranged(failed, open, replaced)).toEqual([["open"], ["replaced", "failed"]])
  })

  it("are the newest attempt when none waits", () => {
    expect(arranged(failed, replaced)).toEqual([["replaced"], ["failed"]])
  })

  it("leave out a link that still waits when another one was paid", () => {
    expect(arranged(captured, open)).toEqual([["captured"], ["open"]])
  })

  it("show a link that waits next to a case of money that does not pay for the order", () => {
    const unread = payment("unread", { attention_reason: "gateway_unreadable" })
    expect(arranged(unread, open)).toEqual([["unread", "open"], []])
  })

  it("are none of an order that was paid otherwise", () => {
    expect(arranged()).toEqual([[], []])
  })
})
