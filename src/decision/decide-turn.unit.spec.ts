import { decideTurn, type Progress, type Turn, type TurnInput } from "./decide-turn"
import type { DecidedFacts, DecidedRow } from "./facts"
import { NOW, OPEN_ROW, PAID, UNCAPTURED } from "./example-row.spec"

const minutesAgo = (minutes: number): Date => new Date(NOW.getTime() - minutes * 60_000)

const ROW: DecidedRow = { ...OPEN_ROW, ...PAID }
const CAPTURED: DecidedFacts = {
  ...UNCAPTURED,
  payment_captured: "20.01",
  first_captured_at: minutesAgo(1),
}
const LINKED: DecidedFacts = { ...CAPTURED, order_id: "order_1", order_unpaid: "0" }
const BOOKED: DecidedFacts = { ...LINKED, order_booked: true, order_booked_amount: "20.01" }

const turn = (
  facts: DecidedFacts,
  done: Progress = {},
  changes: Partial<TurnInput> = {}
): ReturnType<typeof decideTurn> =>
  decideTurn({
    row: ROW,
    facts,
    isAskedByAdmin: false,
    done,
    ...changes,
  })

describe("what a settle does next", () => {
  it("captures what is paid", () => {
    expect(turn(UNCAPTURED).act).toBe("capture")
  })

  it("captures a second time, and no third", () => {
    expect(turn(UNCAPTURED, { capture: "again" }).act).toBe("capture")
    expect(turn(UNCAPTURED, { capture: "done" }).act).toBeNull()
  })

  it("has the order placed of what is captured already", () => {
    expect(turn(CAPTURED).act).toBe("capture")
  })

  describe("when only a lock was not free", () => {
    const blocked = { capture: "blocked" } as const

    it.each([
      [5, 70 / 60],
      // The next step of the ladder is sooner.
      [17.5, 0.5],
    ])("%d minutes after the payment, tries again in %d, not at once", (minutes, wait) => {
      const changes = { row: { ...ROW, paid_at: minutesAgo(minutes) } }
      expect(turn(CAPTURED, blocked, changes)).toMatchObject({
        act: null,
        outcome: { attention: "paid_without_order", nextCheckAt: minutesAgo(-wait) },
        isBlocked: true,
      })
    })

    it("does not try again by itself what it did on request", () => {
      const changes = { row: { ...ROW, settled_at: NOW }, isAskedByAdmin: true }
      expect(turn(CAPTURED, blocked, changes)).toMatchObject({
        outcome: { nextCheckAt: null },
        isBlocked: true,
      })
    })

    it("calls blocked the capture for an order that was placed unpaid", () => {
      expect(turn({ ...UNCAPTURED, order_id: "order_1" }, blocked)).toMatchObject({
        act: null,
        isBlocked: true,
      })
    })

    it("does not call blocked what has its order now, nor what core refused", () => {
      expect(turn(LINKED, blocked).isBlocked).toBe(false)
      expect(turn(CAPTURED, { capture: "done" }).isBlocked).toBe(false)
    })
  })

  describe("of money whose session is gone, and whose order asks for it", () => {
    const lost = {
      ...UNCAPTURED,
      session_amount: null,
      session_currency_code: null,
      adopting_collection_id: "pay_col_2",
    }

    it("binds it to another session, once", () => {
      expect(turn(lost).act).toBe("adopt")
      expect(turn(lost, { adopt: "done" }).act).toBeNull()
    })

    it("leaves the capture to the next settle, which is due at once", () => {
      const { act, outcome } = turn(UNCAPTURED, { adopt: "done" })
      expect([act, outcome.nextCheckAt, outcome.attention]).toEqual([null, NOW, undefined])
    })
  })

  it.each([
    [
      "an admin user has closed its case",
      { attention_reason: "paid_without_order", attention_since: NOW, attention_resolved_at: NOW },
    ],
    [
      "an admin user has closed the case that it could not be settled",
      { attention_reason: "settle_fails", attention_since: NOW, attention_resolved_at: NOW },
    ],
    ["it was settled once, and its order is gone", { settled_at: minutesAgo(5) }],
  ])("places no order by itself when %s, but when an admin user asks for it", (_, row) => {
    const changes = { row: { ...ROW, ...row } }
    expect(turn(CAPTURED, {}, changes).act).toBeNull()
    expect(turn(CAPTURED, {}, { ...changes, isAskedByAdmin: true }).act).toBe("capture")
  })

  describe.each(["provider_missing", "duplicate_payment"])(
    "an admin user has closed its case of %s",
    (reason) => {
      const closed = {
        ...ROW,
        paid_at: minutesAgo(60),
        attention_reason: reason,
        attention_since: minutesAgo(59),
        attention_resolved_at: minutesAgo(1),
      }

      it("captures nothing by itself, and opens no case", () => {
        const { act, outcome } = turn(UNCAPTURED, {}, { row: closed })
        expect([act, outcome.attention]).toEqual([null, undefined])
      })

      it("captures it when an admin user asks, who hears what prevents it", () => {
        const asked = { row: closed, isAskedByAdmin: true }
        expect(turn(UNCAPTURED, {}, asked).act).toBe("capture")
        expect(turn(UNCAPTURED, { capture: "done" }, asked).outcome.attention).toBe("paid_without_order")
      })

      it("captures it when the case was opened before the payment, whenever it was closed", () => {
        expect(turn(UNCAPTURED, {}, { row: { ...closed, attention_since: minutesAgo(61) } }).act).toBe(
          "capture"
        )
      })
    }
  )

  it("places no other order for one that somebody has deleted, whoever asks", () => {
    const deleted = { ...CAPTURED, order_deleted: true }
    expect(turn(deleted, {}, { isAskedByAdmin: true })).toMatchObject({
      act: null,
      outcome: { attention: "paid_on_canceled", nextCheckAt: null },
    })
  })

  it("waits for core to book the capture, and books it itself after two minutes, once", () => {
    const old = { ...LINKED, first_captured_at: minutesAgo(2) }
    expect(turn(LINKED)).toMatchObject({ act: null, outcome: { settledAt: null } })
    expect(turn(old).act).toBe("book")
    expect(turn(old, { book: "done" }).act).toBeNull()
  })

  it("tries to book again in a moment when the cart was in use", () => {
    const old = { ...LINKED, first_captured_at: minutesAgo(2) }
    const { act, outcome } = turn(old, { book: "done" })
    expect([act, outcome.attention, outcome.nextCheckAt]).toEqual([null, undefined, minutesAgo(-5 / 60)])
  })

  it("books it itself two minutes after a settle first saw it, when the server that captured has a clock ahead", () => {
    const ahead = { ...LINKED, first_captured_at: minutesAgo(0) }
    const seen = (minutes: number) => ({ row: { ...ROW, captured_at: minutesAgo(minutes) } })
    expect(turn(ahead, {}, seen(1)).act).toBeNull()
    expect(turn(ahead, {}, seen(2)).act).toBe("book")
  })

  it.each([
    ["twice", { order_booked_amount: "40.02" }],
    ["with less than was captured", { order_booked_amount: "7.00" }],
  ])("repairs at once, and once, a capture that is booked %s", (_, booked) => {
    const wrong = { ...LINKED, ...booked }
    expect(turn(wrong)).toMatchObject({ act: "book", outcome: { settledAt: null } })
    expect(turn(wrong, { verify: "done" }).act).toBe("book")
    expect(turn(wrong, { book: "done" }).act).toBeNull()
  })

  it("goes on as ever once the books are right again", () => {
    expect(turn(BOOKED, { book: "done" })).toMatchObject({ act: "verify", outcome: { settledAt: NOW } })
    expect(turn(LINKED, { book: "done" })).toMatchObject({ act: null, outcome: { settledAt: null } })
  })

  it("leaves the books of a cancelled order alone", () => {
    expect(turn({ ...LINKED, order_canceled: true, order_booked_amount: "40.02" })).toMatchObject({
      act: null,
      outcome: { attention: "paid_on_canceled" },
    })
  })

  it("keeps a settled payment settled while its cart is in use, and opens no case", () => {
    const row = { ...ROW, state: "captured" as const, settled_at: minutesAgo(5), captured_at: minutesAgo(5) }
    const wrong = { ...LINKED, order_booked_amount: "40.02" }
    const { outcome } = turn(wrong, { book: "done" }, { row })
    expect(outcome).toMatchObject({ settledAt: minutesAgo(5) })
    expect(outcome.attention).toBeUndefined()
  })

  it("waits for the cart before it calls a payment done", () => {
    expect(turn(BOOKED)).toMatchObject({ act: "verify", outcome: { settledAt: NOW } })
    expect(turn(BOOKED, { verify: "done" })).toMatchObject({ act: null, outcome: { settledAt: NOW } })
  })

  it("settles nothing while the cart is in use, and books nothing then", () => {
    const old = { ...BOOKED, first_captured_at: minutesAgo(2) }
    expect(turn(old, { verify: "blocked" })).toMatchObject({
      act: null,
      outcome: { settledAt: null },
    })
  })

  describe("of money whose cart asks for another amount by now", () => {
    const changed = { asked_amount: "35.02" }
    const mismatch = { attention: "amount_mismatch" } as const

    it("waits for a change of the cart that may be undone, once, before it opens a case", () => {
      expect(turn({ ...UNCAPTURED, ...changed }).act).toBe("verify")
      const decided = turn({ ...UNCAPTURED, ...changed }, { verify: "done" })
      expect(decided).toMatchObject({ act: null, outcome: mismatch })
    })

    it("opens no case while the cart is in use", () => {
      const decided = turn({ ...UNCAPTURED, ...changed }, { verify: "blocked" })
      expect(decided).toMatchObject({ act: null, outcome: { nextCheckAt: expect.any(Date) } })
      expect(decided.outcome.attention).toBeUndefined()
    })

    it("waits for no cart where another amount was received, or the order is in another currency", () => {
      const received = turn(UNCAPTURED, {}, { row: { ...ROW, gateway_amount: "20.02" } })
      const order = turn({ ...BOOKED, asked_currency_code: "aed" })
      expect([received, order]).toMatchObject([
        { act: null, outcome: mismatch },
        { act: null, outcome: mismatch },
      ])
    })
  })

  it("has nothing to wait for where there is no cart", () => {
    expect(turn({ ...BOOKED, cart_id: null })).toMatchObject({ act: null, outcome: { settledAt: NOW } })
  })

  it("cancels an unpaid order whose time is over, once", () => {
    const unpaid = {
      ...UNCAPTURED,
      order_id: "order_1",
      order_unpaid: "20.01",
      order_expires_at: NOW,
    }
    const row = { ...ROW, paid_at: null, gateway_status: "UNPAID", state: "open" as const }
    const changes = { row }
    expect(turn(unpaid, {}, changes).act).toBe("expire")
    expect(turn(unpaid, { expire: "done" }, changes).act).toBeNull()
  })

  describe("an unpaid order that core does not cancel", () => {
    const refused = { expire: "blocked" } as const
    const stuck = (
      minutesOverdue: number,
      changes: Partial<DecidedFacts> = {},
      done: Progress = refused,
      ofRow: Partial<DecidedRow> = {}
    ): Turn =>
      turn(
        {
          ...UNCAPTURED,
          order_id: "order_1",
          order_unpaid: "20.01",
          order_expires_at: minutesAgo(minutesOverdue),
          ...changes,
        },
        done,
        {
          row: { ...ROW, paid_at: null, gateway_status: "UNPAID", state: "open", ...ofRow },
        }
      )

    it("is tried again soon, and is a case after ten minutes", () => {
      expect(stuck(9).outcome).toMatchObject({ nextCheckAt: minutesAgo(-9) })
      expect(stuck(9).outcome).not.toHaveProperty("attention")
      expect(stuck(10).outcome).toMatchObject({
        attention: "order_not_canceled",
        nextCheckAt: minutesAgo(-8),
      })
    })

    it("is tried again every hour, however long that goes on", () => {
      expect(stuck(60 * 24 * 60).outcome.nextCheckAt).toEqual(minutesAgo(-60))
    })

    it("is no case while it only waits for its turn", () => {
      expect(stuck(10, {}, { expire: "done" }).outcome).not.toHaveProperty("attention")
    })

    it.each(["blocked", "done"] as const)("is unclear when PAID was reported and denied: %s", (expire) => {
      const reported = { is_reported_paid: true, notified_at: minutesAgo(25 * 60) }
      const { outcome } = stuck(25 * 60, {}, { expire }, reported)
      expect(outcome).toMatchObject({ attention: "gateway_unclear", reopens: true })
    })
  })

  it.each([
    ["the gateway cannot be read", { failure: "unreadable" as const, row: { ...ROW, paid_at: null } }],
    ["nothing is paid", { row: { ...ROW, paid_at: null, gateway_status: "UNPAID" } }],
    ["the amount differs", { row: { ...ROW, gateway_amount: "20.02" } }],
  ])("does nothing in Medusa when %s", (_, changes) => {
    expect(turn(UNCAPTURED, {}, changes).act).toBeNull()
  })
})

it("changes nothing about a payment that was refunded in full, not even if it is of another amount", () => {
  const row = { ...ROW, state: "refunded" as const, settled_at: minutesAgo(5), gateway_amount: "7.00" }
  expect(turn(UNCAPTURED, {}, { row })).toEqual({
    act: null,
    outcome: { orderId: null, capturedAt: null, settledAt: minutesAgo(5), nextCheckAt: null },
    isBlocked: false,
  })
})

describe("a settled payment whose order is gone", () => {
  it("stays settled and becomes a case, so that no order is placed anew by itself", () => {
    const row = { ...ROW, state: "captured" as const, settled_at: minutesAgo(5), captured_at: minutesAgo(5) }
    expect(turn(CAPTURED, {}, { row })).toMatchObject({
      act: null,
      outcome: { settledAt: minutesAgo(5), attention: "paid_without_order", nextCheckAt: null },
    })
  })
})
