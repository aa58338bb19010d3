import { orderExpiresAt, type OrderTime } from "./order-expiry"

const at = (time: string): Date => new Date(`2026-11-23T${time}:00Z`)
const PLACED: OrderTime = {
  order_expires_from: at("12:00"),
  order_prolonged_at: null,
  order_payment_began_at: null,
  unpaid_ttl_minutes: 30,
}

/** Of an order that was placed at 12:00 and may stay unpaid for half an hour. */
const expiresAt = (changes: Partial<OrderTime> = {}): Date | null => orderExpiresAt({ ...PLACED, ...changes })

describe("orderExpiresAt", () => {
  it("is the time after the order was placed", () => {
    expect(expiresAt()).toEqual(at("12:30"))
  })

  it.each([
    ["begins again with a session that was opened later", "12:20", "12:50"],
    ["ends at twice the time, whenever a session was opened", "12:55", "13:00"],
    ["ends there also when the clock of the process that opened it is ahead", "23:00", "13:00"],
    ["is not shortened by a session from before the order", "11:50", "12:30"],
  ])("%s", (_, opened, expected) => {
    expect(expiresAt({ order_prolonged_at: at(opened) })).toEqual(at(expected))
  })

  it("waits a day for another provider's payment", () => {
    expect(expiresAt({ order_payment_began_at: at("12:10") })).toEqual(new Date("2026-11-24T12:10:00Z"))
  })

  it("waits for another provider's payments no longer than a day after twice the time", () => {
    const payment = { order_payment_began_at: at("23:00") }
    const latest = new Date("2026-11-24T13:00:00Z")
    expect(expiresAt(payment)).toEqual(latest)
    expect(expiresAt({ ...payment, order_prolonged_at: at("23:00") })).toEqual(latest)
  })

  it("is not before the order's time when another provider's payment was begun long ago", () => {
    expect(expiresAt({ order_payment_began_at: new Date("2026-11-20T12:00:00Z") })).toEqual(at("12:30"))
  })

  it("is never for an order that is not cancelled by itself, and without a limit", () => {
    expect(expiresAt({ order_expires_from: null, order_prolonged_at: at("12:20") })).toBeNull()
    expect(expiresAt({ unpaid_ttl_minutes: null })).toBeNull()
  })
})
