import type { MedusaContainer } from "@medusajs/framework/types"
import type { DecidedFacts } from "../../decision"
import type { LeasedRow } from "../../modules/crypto-payments/payment-requests/leases"
import type CryptoPaymentsModuleService from "../../modules/crypto-payments/service"
import { SETTLE_ACTS } from "./settle-acts"

describe("the capture of a settle", () => {
  it("fails when the locking module does not work, so that its case is not one that advises to restock", async () => {
    const execute = async () => await Promise.reject(new Error("the connection to Redis is closed"))
    const container = { resolve: () => ({ execute }) } as unknown as MedusaContainer
    const lease = { id: "cpreq_1", lease_id: "lease_1" } as LeasedRow
    const facts = { order_id: "order_1" } as DecidedFacts
    const ledger = null as unknown as CryptoPaymentsModuleService
    const settling = { container, ledger, lease, row: lease, facts }
    await expect(SETTLE_ACTS.capture(settling, {})).rejects.toThrow("Redis is closed")
  })
})
