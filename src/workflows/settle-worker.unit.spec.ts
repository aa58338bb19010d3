import type { MedusaContainer } from "@medusajs/framework/types"
import type { SettleKind } from "../modules/crypto-payments/payment-requests/queue"
import { settle, settleUnchanged, type SettleEnd } from "./settle"
import { SettleWorker } from "./settle-worker"

jest.mock("./settle", () => ({ settle: jest.fn(), settleUnchanged: jest.fn() }))
// Jest's timers replace the global one only.
jest.mock("node:timers/promises", () => ({
  setTimeout: async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms)),
}))

type Places = Record<SettleKind, number>

describe("the worker of a process", () => {
  const due: Record<SettleKind, string[]> = { asked: [], scheduled: [], routine: [] }
  const TRIGGERS = { asked: "notification", scheduled: null, routine: null } as const
  let worker: SettleWorker
  let begun: string[]
  let asked: unknown[]
  let ends: Map<string, (end: SettleEnd) => void>
  let held: string[]
  let requested: string[]
  let putOff: string[]
  let isStopping: boolean
  let lookUp: () => Promise<void>
  let looks: number
  const logged: string[] = []

  const leaseDue = async (places: Places): Promise<unknown[]> => {
    looks++
    await lookUp()
    return (["asked", "scheduled", "routine"] as const).flatMap((kind) =>
      due[kind].splice(0, places[kind]).map((id) => ({ id, kind, check_trigger: TRIGGERS[kind] }))
    )
  }
  const ledger = {
    queue: {
      leaseDue,
      requestCheck: async (id: string) => await Promise.resolve(void requested.push(id)),
    },
    leases: {
      lease: async (id: string) => await Promise.resolve(held.includes(id) ? undefined : { id }),
      putOff: async ({ id }: { id: string }) => {
        putOff.push(id)
        await Promise.resolve()
      },
    },
    runningSettles: {
      get isStopping() {
        return isStopping
      },
      finish: async (work: () => Promise<void>) => {
        await work()
      },
    },
  }
  const note = (line: string): number => logged.push(line)
  const container = {
    resolve: (name: string) => (name === "logger" ? { error: note, warn: note } : ledger),
  } as unknown as MedusaContainer

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] })
    worker = new SettleWorker()
    begun = []
    asked = []
    held = []
    requested = []
    looks = 0
    putOff = []
    logged.length = 0
    isStopping = false
    ends = new Map()
    lookUp = async () => await Promise.resolve()
    Object.values(due).forEach((ids) => ids.splice(0))
    jest.mocked(settle).mockImplementation(async (_container, { id }, who) => {
      begun.push(id)
      asked.push(who)
      return await new Promise((resolve) => ends.set(id, resolve))
    })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const untilStill = async (): Promise<void> => {
    await new Promise(setImmediate)
  }
  const wake = async (kind: SettleKind, ids: string): Promise<void> => {
    due[kind].push(...Array.from(ids))
    worker.wake(container)
    await untilStill()
  }
  const end = async (id: string, how: SettleEnd = { dueInMs: null }): Promise<void> => {
    ends.get(id)?.(how)
    await untilStill()
  }
  const settleNow = (id: string): Promise<unknown> =>
    worker.settleNow(container, id, { trigger: "admin", by: "user_1" }, 10_000)

  it("begins three settles of the schedule, and the next when one has ended", async () => {
    await wake("scheduled", "abcde")
    expect(begun).toEqual(Array.from("abc"))
    await end("b")
    expect(begun).toEqual(Array.from("abcd"))
    expect(asked[0]).toEqual({ trigger: "schedule" })
  })

  it("begins what was asked for while the schedule's settles hang, and the other way round", async () => {
    await wake("scheduled", "abcd")
    await wake("asked", "uvwxyz")
    expect(begun).toEqual(Array.from("abcuvwxy"))
    expect(asked.at(-1)).toEqual({ trigger: "notification" })
    await end("u")
    expect(begun).toEqual(Array.from("abcuvwxyz"))
    await end("a")
    expect(begun).toEqual(Array.from("abcuvwxyzd"))
  })

  it("does not look for due rows while every place is taken", async () => {
    jest.mocked(settleUnchanged).mockImplementation(async () => await new Promise(() => undefined))
    await wake("routine", "z")
    await wake("asked", "abcde")
    await wake("scheduled", "fgh")
    const before = looks
    worker.wake(container)
    await untilStill()
    expect([begun, looks]).toEqual([Array.from("abcdefgh"), before])
  })

  it("takes what became due while it was looking", async () => {
    let found: () => void = () => undefined
    lookUp = async () => await new Promise((resolve) => (found = resolve))
    worker.wake(container)
    lookUp = async () => await Promise.resolve()
    worker.wake(container)
    due.asked.push("a")
    found()
    await untilStill()
    expect(begun).toEqual(["a"])
  })

  it("settles again by a timer what is due within a minute, and leaves the rest to the tick", async () => {
    await wake("asked", "ab")
    await end("a", { dueInMs: 2000 })
    await end("b", { dueInMs: 50_001 })
    expect(jest.getTimerCount()).toBe(1)
    await wake("scheduled", "c")
    await end("c", { dueInMs: 50_000 })
    expect(jest.getTimerCount()).toBe(2)
    due.asked.push("a")
    await jest.advanceTimersByTimeAsync(1999)
    expect(begun).toEqual(Array.from("abc"))
    await jest.advanceTimersByTimeAsync(1)
    expect(begun).toEqual(Array.from("abca"))
  })

  it("forgets its timers", async () => {
    await wake("asked", "a")
    await end("a", { dueInMs: 2000 })
    worker.cancelTimers()
    expect(jest.getTimerCount()).toBe(0)
  })

  it("is idle once it has settled what is due, and what becomes due meanwhile", async () => {
    due.scheduled.push("a", "b")
    worker.wake(container)
    await untilStill()
    await end("a")
    await wake("scheduled", "c")
    await end("b")
    expect(worker.isIdle).toBe(false)
    await end("c")
    expect(worker.isIdle).toBe(true)
  })

  it("says so when due rows cannot be taken, and takes them when it is woken again", async () => {
    lookUp = async () => await Promise.reject(new Error("the database is gone"))
    due.scheduled.push("a")
    worker.wake(container)
    await untilStill()
    expect(logged).toEqual([
      expect.stringMatching(/^crypto payments: due rows are taken by the next tick \(.+\)$/),
    ])
    lookUp = async () => await Promise.resolve()
    await wake("scheduled", "")
    expect(begun).toEqual(["a"])
  })

  describe("of routine rows", () => {
    const ALPHABET = "abcdefghijklmnopqrstuvwxyz"
    let batches: string[]
    let endBatch: (failure?: Error) => Promise<void>

    beforeEach(() => {
      batches = []
      jest.mocked(settleUnchanged).mockImplementation(async (_container, rows) => {
        batches.push(rows.map(({ id }) => id).join(""))
        await new Promise<void>((resolve, reject) => {
          endBatch = async (failure) => {
            if (failure === undefined) {
              resolve()
            } else {
              reject(failure)
            }
            await untilStill()
          }
        })
      })
    })

    it("settles 25 in a batch, one batch at a time, while what was asked for goes on", async () => {
      await wake("routine", ALPHABET)
      await wake("asked", "1")
      expect([batches, begun]).toEqual([[ALPHABET.slice(0, 25)], ["1"]])
      await endBatch()
      expect(batches).toEqual([ALPHABET.slice(0, 25), "z"])
    })

    it("settles one by one what a batch has given back", async () => {
      await wake("routine", "ab")
      due.scheduled.push("a")
      await endBatch()
      expect([batches, begun]).toEqual([["ab"], ["a"]])
    })

    it("says so when a batch fails, and goes on", async () => {
      await wake("routine", ALPHABET)
      await endBatch(new Error("the database is gone"))
      expect(logged).toEqual([
        expect.stringMatching(/^crypto payments: a batch of due rows is settled when its leases end \(.+\)$/),
      ])
      expect(batches).toEqual([ALPHABET.slice(0, 25), "z"])
    })

    it("is not idle while a batch runs", async () => {
      await wake("routine", "a")
      await wake("asked", "b")
      expect(worker.isIdle).toBe(false)
      await end("b")
      expect(worker.isIdle).toBe(false)
      await endBatch()
      expect(worker.isIdle).toBe(true)
    })

    it("waits for a batch as long as its leases last", async () => {
      await wake("routine", ALPHABET)
      await jest.advanceTimersByTimeAsync(120_000)
      await untilStill()
      expect(batches).toEqual([ALPHABET.slice(0, 25), "z"])
    })
  })

  describe("for somebody who waits", () => {
    it("settles a row while every place is taken, and says when that has ended", async () => {
      await wake("asked", "abcde")
      await wake("scheduled", "fgh")
      const answer = settleNow("x")
      await untilStill()
      expect([begun.at(-1), asked.at(-1)]).toEqual(["x", { trigger: "admin", by: "user_1" }])
      await end("x")
      expect(await answer).toBe("settled")
    })

    it("says that it is left when the capture or the order waits for a lock", async () => {
      const answer = settleNow("x")
      await untilStill()
      await end("x", { dueInMs: null, isBlocked: true })
      expect(await answer).toBe("left")
    })

    it("refuses while the store is paused, whose due rows are left as they are", async () => {
      const { env } = process
      process.env = { ...env, CRYPTO_PAYMENTS_PAUSED: "true" }
      try {
        await expect(settleNow("x")).rejects.toMatchObject({ code: "paused" })
        await wake("asked", "a")
        expect([looks, begun]).toEqual([0, []])
      } finally {
        process.env = env
      }
    })

    it("waits until the row is free", async () => {
      held = ["x"]
      const answer = settleNow("x")
      await jest.advanceTimersByTimeAsync(9000)
      held = []
      await jest.advanceTimersByTimeAsync(250)
      expect(asked).toEqual([{ trigger: "admin", by: "user_1" }])
      await end("x")
      expect([await answer, requested]).toEqual(["settled", []])
    })

    it("waits no longer than it is told, and makes the row due", async () => {
      held = ["x"]
      const answer = settleNow("x")
      await jest.advanceTimersByTimeAsync(10_250)
      expect([await answer, begun, requested]).toEqual(["left", [], ["x"]])
    })

    it("says what failed, and logs it with the payment", async () => {
      const answer = settleNow("x")
      await untilStill()
      await end("x", { dueInMs: 5000, failed: "42703" })
      expect(await answer).toEqual({ failed: "42703" })
      expect(logged).toEqual(["crypto payment x: settling (admin) failed (42703), it is tried again"])
    })
  })

  it("waits two minutes for a settle, and gives its place to another one then", async () => {
    const answer = settleNow("x")
    await untilStill()
    await jest.advanceTimersByTimeAsync(119_999)
    expect([worker.isIdle, putOff]).toEqual([false, []])
    await jest.advanceTimersByTimeAsync(1)
    expect(await answer).toEqual({ failed: expect.any(String) as string })
    await untilStill()
    expect([worker.isIdle, putOff]).toEqual([true, ["x"]])
  })

  it("goes on when the database does not answer a look for ten seconds", async () => {
    lookUp = async () => await new Promise(() => undefined)
    await wake("asked", "a")
    lookUp = async () => await Promise.resolve()
    await wake("asked", "b")
    expect(begun).toEqual([])
    await jest.advanceTimersByTimeAsync(10_000)
    await untilStill()
    expect(begun).toEqual(["a", "b"])
  })

  it("begins nothing while the process stops", async () => {
    isStopping = true
    await wake("asked", "a")
    expect([begun, looks]).toEqual([[], 0])
  })
})
