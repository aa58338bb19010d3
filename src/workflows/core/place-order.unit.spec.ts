import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { OPEN_ROW, PAID, UNCAPTURED } from "../../decision/example-row.spec"
import { placeOrder } from "./place-order"
import type { Settling } from "./settling"

jest.mock("../../modules/crypto-payments/store-query", () => ({
  queryStore: async () => await Promise.resolve([]),
}))
jest.mock("./drop-rival-sessions", () => ({ dropRivalSessions: jest.fn() }))
jest.mock("./collection-sums", () => ({ recomputeCollectionSums: jest.fn() }))

describe("the order of an earlier capture", () => {
  const asked: string[] = []
  let locked: string[]
  const run = jest.fn()
  const parts: Record<string, unknown> = {
    [Modules.LOCKING]: {
      execute: async (key: string, work: () => Promise<unknown>) => {
        asked.push(key)
        if (locked.includes(key)) {
          throw new Error("Timed-out acquiring lock.")
        }
        return await work()
      },
    },
    [Modules.WORKFLOW_ENGINE]: { run },
    [ContainerRegistrationKeys.LOGGER]: { warn: () => undefined },
  }
  const container = {
    resolve: (name: string) => parts[name],
  } as unknown as MedusaContainer
  const place = async (): Promise<string> => {
    const row = { ...OPEN_ROW, ...PAID, id: "cpreq_1" }
    const ledger = {
      requests: { require: async () => await Promise.resolve(row) },
    }
    const settling = { container, ledger, lease: row, row, facts: UNCAPTURED } as unknown as Settling
    return await placeOrder(settling, "cart_1")
  }

  beforeEach(() => {
    asked.length = 0
    locked = []
    run.mockReset().mockResolvedValue(undefined)
  })

  it("is placed by core while no other is", async () => {
    expect(await place()).toBe("again")
    expect(asked).toEqual(["crypto:place-order"])
    expect(run).toHaveBeenCalledWith("complete-cart", { input: { id: "cart_1" } })
  })

  it("is not placed while another is", async () => {
    locked = ["crypto:place-order"]
    expect(await place()).toBe("blocked")
    expect(run).not.toHaveBeenCalled()
  })
})
