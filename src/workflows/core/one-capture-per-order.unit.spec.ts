import type { MedusaContainer } from "@medusajs/framework/types"
import type { ActEnd, DecidedFacts } from "../../decision"
import type { CryptoPaymentRequestRow } from "../../modules/crypto-payments/models/crypto-payment-request"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { oneCapturePerOrder } from "./one-capture-per-order"

const ROW = { id: "cpreq_1" } as CryptoPaymentRequestRow
const FACTS = {
  order_id: "order_1",
  order_canceled: false,
  paid_by_another: false,
  payment_captured: "0",
} as DecidedFacts

describe("a capture", () => {
  const locked: string[] = []
  let latest: DecidedFacts
  const capture = jest.fn<Promise<ActEnd>, [DecidedFacts]>()
  const container = {
    resolve: (name: string) => ({
      execute: async (key: string, work: () => Promise<unknown>) => {
        locked.push(`${name} ${key}`)
        return await work()
      },
    }),
  } as unknown as MedusaContainer
  const ledger = {
    facts: { read: async () => await Promise.resolve(latest) },
  } as unknown as CryptoPaymentsModuleService
  const run = async (facts = FACTS): Promise<ActEnd> =>
    await oneCapturePerOrder({ container, ledger, row: ROW, facts }, capture)

  beforeEach(() => {
    locked.length = 0
    latest = FACTS
    capture.mockReset().mockResolvedValue("done")
  })

  it("is made under the order's lock, with what is known by then", async () => {
    latest = { ...FACTS, session_amount: "20.01" }
    expect(await run()).toBe("done")
    expect(locked).toEqual(["locking crypto:capture:order_1"])
    expect(capture).toHaveBeenCalledWith(latest)
  })

  it.each([
    ["another link has paid it meanwhile", { paid_by_another: true }],
    ["it was cancelled meanwhile", { order_canceled: true }],
  ])("is not made when %s, and the settle decides anew", async (_, changed) => {
    latest = { ...FACTS, ...changed }
    expect(await run()).toBe("again")
    expect(capture).not.toHaveBeenCalled()
  })

  it("is completed when it is made already, whoever has paid as well", async () => {
    latest = { ...FACTS, paid_by_another: true, payment_captured: "20.01" }
    await run()
    expect(capture).toHaveBeenCalled()
  })

  it("is made under a lock of the cart while there is no order", async () => {
    latest = { ...FACTS, order_id: null, cart_id: "cart_1" }
    await run(latest)
    expect(locked).toEqual(["locking crypto:capture:cart_1"])
    expect(capture).toHaveBeenCalled()
  })

  it("is not made under the cart's lock when the order was placed meanwhile, and the settle decides anew", async () => {
    expect(await run({ ...FACTS, order_id: null, cart_id: "cart_1" })).toBe("again")
    expect(capture).not.toHaveBeenCalled()
  })
})
