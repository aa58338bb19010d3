import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"
import { whileLocked } from "./cart-lock"

type Execute = (key: string, work: () => Promise<unknown>, options: { timeout: number }) => Promise<unknown>

const NOT_FREE = "Timed-out acquiring lock."

describe("whileLocked", () => {
  const execute = jest.fn<ReturnType<Execute>, Parameters<Execute>>()
  const container = { resolve: () => ({ execute }) } as unknown as MedusaContainer
  const lock = async (work: () => Promise<string>) => await whileLocked(container, "cart_1", 20, work)

  beforeEach(() => {
    execute.mockReset().mockImplementation(async (_key, work) => await work())
  })

  it("does the work under the lock", async () => {
    expect(await lock(() => Promise.resolve("done"))).toEqual({ result: "done" })
    expect(execute).toHaveBeenCalledWith("cart_1", expect.any(Function), { timeout: 20 })
  })

  it.each([
    ["an error without a type", new Error(NOT_FREE)],
    ["Redis' error", new MedusaError(MedusaError.Types.CONFLICT, NOT_FREE)],
  ])("does not do it when the lock is not free in time, as %s says", async (_, error) => {
    execute.mockRejectedValue(error)
    const work = jest.fn()
    expect(await lock(work)).toBeUndefined()
    expect(work).not.toHaveBeenCalled()
  })

  it("throws what keeps locks from being taken at all", async () => {
    execute.mockRejectedValue(new Error("connect ECONNREFUSED"))
    await expect(lock(() => Promise.resolve("done"))).rejects.toThrow("connect ECONNREFUSED")
  })

  it("throws what the work throws, also when that waited for another lock", async () => {
    await expect(lock(() => Promise.reject(new Error(NOT_FREE)))).rejects.toThrow(NOT_FREE)
  })
})
