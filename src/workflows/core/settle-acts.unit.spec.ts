import type { MedusaContainer } from "@medusajs/framework/types"
import type { DecidedFacts } from "../../decision"
import type { LeasedRow } from "../../modules/crypto-payments/payment-requests/queue"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { SETTLE_ACTS } from "./settle-acts"

describe("the capture of a settle", () => {
  it("ends without an error when the locking module does not work, so that the settle can open a case", async () => {
    const warned: string[] = []
    const container = {
      resolve: (name: string) => {
        if (name === "logger") {
          return { warn: (line: string) => warned.push(line) }
        }
        return {
          execute: async () => await Promise.reject(new Error("the connection to Redis is closed")),
        }
      },
    } as unknown as MedusaContainer
    const lease = { id: "cpreq_1", lease_id: "lease_1" } as LeasedRow
    const facts = { order_id: "order_1" } as DecidedFacts
    const ledger = null as unknown as CryptoPaymentsModuleService
    const settling = { container, ledger, lease, row: lease, facts }
    expect(await SETTLE_ACTS.capture(settling, {})).toBe("done")
    expect(warned).toEqual([expect.stringMatching(/^crypto payment cpreq_1: it was not captured \(/)])
  })
})
