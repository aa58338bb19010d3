import type { MedusaContainer } from "@medusajs/framework/types"
import { SettleQueue } from "./settle-queue"

const CONTAINER = {} as MedusaContainer

describe("the queue of settles", () => {
  let begun: string[]
  let ends: Map<string, (ended: number | null | "failed") => void>
  let queue: SettleQueue
  let ended: string[]

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] })
    begun = []
    ended = []
    ends = new Map()
    queue = new SettleQueue({ atOnce: 2, returnsAtOnce: 1, mostWaiting: 3 }, async (_container, id) => {
      begun.push(id)
      return await new Promise((resolve) => ends.set(id, resolve))
    })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const add = (...ids: string[]): void => {
    for (const id of ids) {
      void queue.add(CONTAINER, id, "notification").then(() => ended.push(id))
    }
  }
  const end = async (id: string, how: number | null | "failed" = null): Promise<void> => {
    ends.get(id)?.(how)
    await new Promise(setImmediate)
  }

  it("begins at once while there is room, and no more than that", () => {
    add("a", "b", "c")
    expect(begun).toEqual(["a", "b"])
  })

  it("begins what came first when something ends", async () => {
    add("a", "b", "c", "d")
    await end("b")
    expect(begun).toEqual(["a", "b", "c"])
    await end("a")
    expect(begun).toEqual(["a", "b", "c", "d"])
  })

  it("tells who waits for a row when its settle has ended", async () => {
    add("a", "b", "c")
    await end("b")
    expect(ended).toEqual(["b"])
    await end("c")
    expect(ended).toEqual(["b", "c"])
  })

  it("begins again after it had nothing to do, still no more than that", async () => {
    add("a")
    await end("a")
    add("b", "c", "d")
    expect(begun).toEqual(["a", "b", "c"])
  })

  it("settles once what is added twice while it waits", async () => {
    add("a", "b", "c", "c")
    await end("a")
    await end("c")
    await end("b")
    expect(begun).toEqual(["a", "b", "c"])
  })

  it("settles again what is added while it runs: it may have come too late for that settle", () => {
    add("a", "a")
    expect(begun).toEqual(["a", "a"])
  })

  it("leaves out what finds no place, and keeps nobody waiting for it", async () => {
    add("a", "b", "c", "d", "e", "f")
    await new Promise(setImmediate)
    expect(ended).toEqual(["f"])
  })

  it("settles a row again when it is due within a minute, by a timer", async () => {
    add("a")
    await end("a", 2000)
    await jest.advanceTimersByTimeAsync(1999)
    expect(begun).toEqual(["a"])
    await jest.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(["a", "a"])
  })

  it("settles a row that failed again after 5.5, 10 and 20 seconds, and then leaves it to the tick", async () => {
    add("a")
    for (const waitMs of [5500, 10_000, 20_000]) {
      await end("a", "failed")
      await jest.advanceTimersByTimeAsync(waitMs - 1)
      const before = begun.length
      await jest.advanceTimersByTimeAsync(1)
      expect(begun).toHaveLength(before + 1)
    }
    await end("a", "failed")
    expect(jest.getTimerCount()).toBe(0)
  })

  it("settles at the sooner time when a row that waits for its timer is due sooner", async () => {
    add("a")
    await end("a", 20_000)
    add("a")
    await end("a", 2000)
    expect(jest.getTimerCount()).toBe(1)
    await jest.advanceTimersByTimeAsync(2000)
    expect(begun).toEqual(["a", "a", "a"])
  })

  it("keeps room beside the returns of payers", async () => {
    const returns = ["a", "b"].map(async (id) => await queue.add(CONTAINER, id, "return"))
    add("c")
    expect(begun).toEqual(["a", "c"])
    await end("c")
    expect(begun).toEqual(["a", "c"])
    await end("a")
    expect(begun).toEqual(["a", "c", "b"])
    await end("b")
    await Promise.all(returns)
  })

  it("settles at once what waits as a return and is notified then", () => {
    void queue.add(CONTAINER, "a", "return")
    void queue.add(CONTAINER, "b", "return")
    add("b")
    expect(begun).toEqual(["a", "b"])
  })

  it("leaves to the tick what is due later", async () => {
    add("a")
    await end("a", 50_001)
    expect(jest.getTimerCount()).toBe(0)
  })
})
