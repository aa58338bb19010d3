import type { Knex } from "@medusajs/framework/mikro-orm/knex"
import type { IEventBusModuleService, Logger } from "@medusajs/framework/types"
import type { CryptoPaymentRequestRow } from "../models/crypto-payment-request"
import { Announcements } from "./announcements"

const ROW = {
  id: "cpreq_1",
  order_id: "order_1",
  announcements: [{ event: "settled", event_id: "cpreq_1:settled" }],
} as unknown as CryptoPaymentRequestRow

describe("sending the events of a row", () => {
  const emit = jest.fn<Promise<void>, [{ name: string }]>()
  const raw = jest.fn()
  const warn = jest.fn()
  const announcements = new Announcements(
    { raw } as unknown as Knex,
    { emit } as unknown as IEventBusModuleService,
    { info: jest.fn(), warn } as unknown as Logger,
    jest.fn()
  )

  beforeEach(() => {
    jest.useFakeTimers()
    emit.mockReset().mockResolvedValue(undefined)
    raw.mockReset()
    warn.mockReset()
  })
  afterEach(() => jest.useRealTimers())

  it("removes them from the row", async () => {
    await announcements.send(ROW)
    expect(emit.mock.calls).toEqual([[expect.objectContaining({ name: "crypto_payment.settled" })]])
    const sent = '[{"event":"settled","event_id":"cpreq_1:settled"}]'
    expect(raw).toHaveBeenCalledWith(expect.any(String), { id: "cpreq_1", sent })
    expect(warn).not.toHaveBeenCalled()
  })

  it("leaves them to the schedule when the bus refuses one, and fails nothing", async () => {
    emit.mockRejectedValue(new TypeError("the bus is away"))
    await announcements.send(ROW)
    expect(raw).not.toHaveBeenCalled()
    expect(warn.mock.calls).toEqual([["crypto payment cpreq_1: its events are sent again later (TypeError)"]])
  })

  it("leaves them to the schedule when the bus does not answer within two seconds", async () => {
    emit.mockReturnValue(new Promise(() => undefined))
    const sending = announcements.send(ROW)
    await jest.advanceTimersByTimeAsync(2000)
    await sending
    expect(raw).not.toHaveBeenCalled()
    expect(warn.mock.calls).toEqual([
      ["crypto payment cpreq_1: its events are sent again later (TookTooLong)"],
    ])
  })

  it("leaves them to the schedule when the database does not take that they were sent", async () => {
    raw.mockRejectedValue(new TypeError("the database is away"))
    await announcements.send(ROW)
    expect(warn).toHaveBeenCalledTimes(1)
  })
})
