import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { OPEN_ROW, PAID, UNCAPTURED } from "../../decision/example-row.spec"
import { TookTooLong } from "../../modules/crypto-payments/waiting"
import { captureAndPlaceOrder } from "./capture-and-place-order"
import type { Settling } from "./settling"

jest.mock("./payment-collections", () => ({ restoreCollection: jest.fn() }))

describe("a capture that core does not finish", () => {
  it.each([
    ["had no free lock", new MedusaError(MedusaError.Types.CONFLICT, "Timed-out acquiring lock."), "blocked"],
    ["hangs", new TookTooLong("not done within 45000 ms"), "done"],
    ["failed", new Error("such as a completion that another one has begun"), "again"],
  ])("when it %s", async (_, error, end) => {
    const run = async () => await Promise.reject(error)
    const container = { resolve: () => ({ run, warn: () => undefined }) } as unknown as MedusaContainer
    const row = { ...OPEN_ROW, ...PAID, id: "cpreq_1" }
    const facts = { ...UNCAPTURED, cart_id: null, order_id: null, payment_id: null, lost_order_id: null }
    const settling = { container, row, facts } as unknown as Settling
    expect(await captureAndPlaceOrder(settling)).toBe(end)
  })
})
