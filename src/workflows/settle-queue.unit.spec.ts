import type { MedusaContainer } from "@medusajs/framework/types"
import { SettleQueue, type Failed } from "./settle-queue"

const CONTAINER = {} as MedusaContainer
const FAILED: Failed = { failed: "unknown" }

describe("the queue of settles", () => {
  let begun: string[]
  let ends: Map<string, (ended: number | null | Failed) => void>
  let queue: SettleQueue
  let ended: string[]
  let by: (string | undefined)[]
  let triggers: string[]

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] })
    begun = []
    ended = []
    by = []
    triggers = []
    ends = new Map()
    queue = new SettleQueue(
      { atOnce: 2, returnsAtOnce: 1, mostWaiting: 3, mostTimers: 2 },
      async (_container, id, trigger, who) => {
        begun.push(id)
        by.push(who)
        triggers.push(trigger)
        return await new Promise((resolve) => ends.set(id, resolve))
      }
    )
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const add = (...ids: string[]): void => {
    for (const id of ids) {
      void queue.add(CONTAINER, id, "notification").then(() => ended.push(id))
    }
  }
  const end = async (id: string, how: number | null | Failed = null): Promise<void> => {
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

  describe("of what is urgent", () => {
    const found = (...ids: string[]): void => {
      for (const id of ids) {
        void queue.add(CONTAINER, id, "schedule")
      }
    }

    it.each(["notification", "provider", "order_changed"] as const)(
      "begins a row of the trigger %s before what the schedule has found",
      async (trigger) => {
        found("a", "b", "c", "d")
        void queue.add(CONTAINER, "urgent", trigger)
        await end("a")
        expect(begun).toEqual(["a", "b", "urgent"])
      }
    )

    it("leaves a turn to what came first", async () => {
      add("urgent")
      found("a", "b")
      add("second")
      await end("a")
      expect(begun).toEqual(["urgent", "a", "b"])
      await end("urgent")
      expect(begun).toEqual(["urgent", "a", "b", "second"])
    })

    it("begins a row sooner that waits already, and is told of meanwhile", async () => {
      found("a", "b", "c", "d")
      add("d")
      await end("a")
      expect(begun).toEqual(["a", "b", "d"])
    })

    it("begins sooner also what follows by a timer", async () => {
      add("urgent")
      await end("urgent", 2000)
      found("a", "b", "c")
      await jest.advanceTimersByTimeAsync(2000)
      await end("a")
      expect(begun).toEqual(["urgent", "a", "b", "urgent"])
    })
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
    expect(await queue.add(CONTAINER, "g", "notification")).toBe("left")
  })

  it("keeps only an admin user waiting for a row that waits already", async () => {
    add("a", "b", "c")
    expect(await queue.add(CONTAINER, "c", "notification")).toBe("left")
  })

  it("settles a row again when it is due within a minute, by a timer", async () => {
    add("a")
    await end("a", 2000)
    await jest.advanceTimersByTimeAsync(1999)
    expect(begun).toEqual(["a"])
    await jest.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(["a", "a"])
    expect(triggers).toEqual(["notification", "schedule"])
  })

  it("settles a row that failed again after 5.5, 10 and 20 seconds, and then leaves it to the tick", async () => {
    add("a")
    for (const waitMs of [5500, 10_000, 20_000]) {
      await end("a", FAILED)
      await jest.advanceTimersByTimeAsync(waitMs - 1)
      const before = begun.length
      await jest.advanceTimersByTimeAsync(1)
      expect(begun).toHaveLength(before + 1)
    }
    await end("a", FAILED)
    expect(jest.getTimerCount()).toBe(0)
    add("a")
    await end("a", FAILED)
    expect(jest.getTimerCount()).toBe(1)
  })

  it("counts the failures since a settle last succeeded", async () => {
    for (const how of [FAILED, FAILED, FAILED, null, FAILED] as const) {
      add("a")
      await end("a", how)
    }
    await jest.advanceTimersByTimeAsync(5500)
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

  it("settles no later when a row that waits for its timer turns out to be due later", async () => {
    add("a")
    await end("a", 2000)
    add("a")
    await end("a", 20_000)
    expect(jest.getTimerCount()).toBe(1)
    await jest.advanceTimersByTimeAsync(2000)
    expect(begun).toEqual(["a", "a", "a"])
  })

  it("has so many timers, and leaves the others to the tick", async () => {
    for (const id of ["a", "b", "c"]) {
      add(id)
      await end(id, 2000)
    }
    expect(jest.getTimerCount()).toBe(2)
  })

  it("lets a payer return during other settles", () => {
    add("a")
    void queue.add(CONTAINER, "b", "return")
    expect(begun).toEqual(["a", "b"])
  })

  it("keeps room for other settles than those of returning payers", async () => {
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

  it("settles first what an admin user asks for, also when the queue is full", async () => {
    add("a", "b", "c", "d", "e")
    const asked = queue.add(CONTAINER, "f", "admin", "user_1")
    await end("a")
    expect(begun).toEqual(["a", "b", "f"])
    await end("f")
    expect(await asked).toBe("settled")
    expect(by).toEqual([undefined, undefined, "user_1", undefined])
  })

  it("still settles first what an admin user asked for when it is notified then", async () => {
    add("a", "b", "c")
    void queue.add(CONTAINER, "d", "admin", "user_1")
    add("d")
    await end("a")
    expect(begun).toEqual(["a", "b", "d"])
    expect(by).toEqual([undefined, undefined, "user_1"])
    expect(triggers.at(-1)).toBe("admin")
  })

  it("names the first person who asked", async () => {
    add("a", "b")
    void queue.add(CONTAINER, "c", "admin", "user_1")
    void queue.add(CONTAINER, "c", "admin", "user_2")
    await end("a")
    expect(by).toEqual([undefined, undefined, "user_1"])
  })

  it("keeps the first cause of a row that waits when the schedule asks for it too", async () => {
    add("a", "b", "c")
    void queue.add(CONTAINER, "c", "schedule")
    await end("a")
    expect(triggers).toEqual(["notification", "notification", "notification"])
  })

  it("raises a row that waits when an admin user asks for it, and tells them when its settle has ended", async () => {
    add("a", "b", "c", "d")
    const asked = [1, 2, 3].map(async () => await queue.add(CONTAINER, "d", "admin"))
    await end("a")
    expect(begun).toEqual(["a", "b", "d"])
    await end("d", FAILED)
    expect(await Promise.all(asked)).toEqual([FAILED, FAILED, FAILED])
  })

  it("begins no more than that, however many people ask", () => {
    for (const id of ["a", "b", "c", "d", "e", "f", "g"]) {
      void queue.add(CONTAINER, id, "admin")
    }
    expect(begun).toEqual(["a", "b"])
  })

  it("leaves to the tick what is due later", async () => {
    add("a")
    await end("a", 50_001)
    expect(jest.getTimerCount()).toBe(0)
    add("a")
    await end("a", 50_000)
    expect(jest.getTimerCount()).toBe(1)
  })
})
