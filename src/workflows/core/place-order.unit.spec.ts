import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { OPEN_ROW, PAID, UNCAPTURED } from "../../decision/example-row.spec"
import { placeOrder } from "./place-order"
import type { Settling } from "./settling"

jest.mock("./drop-rival-sessions", () => ({ dropRivalSessions: jest.fn() }))
jest.mock("./collection-sums", () => ({ recomputeCollectionSums: jest.fn() }))

/** Two products, one of them twice, one without stock, and an item whose variant was deleted. */
const CART = {
  items: [
    { variant: { inventory_items: [{ inventory_item_id: "stock_1" }] } },
    { variant: { inventory_items: [{ inventory_item_id: "stock_2" }, { inventory_item_id: "stock_1" }] } },
    { variant: { inventory_items: [] } },
    { variant: null },
  ],
}

describe("the order of an earlier capture", () => {
  const asked: string[] = []
  let locked: string[]
  let isStopping: boolean
  let inventory: object | undefined
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
    [ContainerRegistrationKeys.QUERY]: { graph: async () => await Promise.resolve({ data: [CART] }) },
    [ContainerRegistrationKeys.LOGGER]: { warn: () => undefined },
  }
  const container = {
    resolve: (name: string) => (name === Modules.INVENTORY ? inventory : parts[name]),
  } as unknown as MedusaContainer
  const place = async (): Promise<string> => {
    const row = { ...OPEN_ROW, ...PAID, id: "cpreq_1" }
    const ledger = {
      requests: { require: async () => await Promise.resolve(row) },
      runningSettles: { isStopping },
    }
    const settling = { container, ledger, lease: row, row, facts: UNCAPTURED } as unknown as Settling
    return await placeOrder(settling, "cart_1")
  }

  beforeEach(() => {
    asked.length = 0
    locked = []
    isStopping = false
    inventory = {}
    run.mockReset().mockResolvedValue(undefined)
  })

  it("is placed by core once all locks are free that core will take, each asked for alone", async () => {
    expect(await place()).toBe("again")
    expect(asked).toEqual(["crypto:place-order", "cart_1", "stock_1", "stock_2"])
    expect(run).toHaveBeenCalledWith("complete-cart", { input: { id: "cart_1" } })
  })

  it.each(["crypto:place-order", "cart_1", "stock_1", "stock_2"])(
    "is not placed while %s is locked",
    async (key) => {
      locked = [key]
      expect(await place()).toBe("blocked")
      expect(run).not.toHaveBeenCalled()
    }
  )

  it("is not begun by a process that stops", async () => {
    isStopping = true
    expect(await place()).toBe("blocked")
    expect(run).not.toHaveBeenCalled()
  })

  it("is placed in a store without the inventory module", async () => {
    inventory = undefined
    expect(await place()).toBe("again")
    expect(asked).toEqual(["crypto:place-order", "cart_1"])
  })
})
