import type { LeasedRow } from "./queue"
import { RunningSettles, SettleStopped } from "./running-settles"

const LIMIT_MS = 20_000

function lease(id: string): LeasedRow {
  return { id, lease_id: `lease of ${id}` } as LeasedRow
}

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise))
  return { promise, resolve }
}

describe("the settles of a process that is told to stop", () => {
  let settles: RunningSettles
  let givenBack: string[]

  beforeEach(() => {
    settles = new RunningSettles()
    givenBack = []
  })

  const stop = async (limitMs = LIMIT_MS): Promise<void> => {
    await settles.stop(limitMs, async (leases) => {
      await Promise.resolve(givenBack.push(...leases.map(({ id }) => id)))
    })
  }

  /** Whether the stop has ended, once everything that can happen by itself has happened. */
  const hasEnded = async (stopped: Promise<void>): Promise<boolean> => {
    await new Promise(setImmediate)
    const isStillGoing = new Promise<boolean>((resolve) => setImmediate(resolve, false))
    return await Promise.race([stopped.then(() => true), isStillGoing])
  }

  it("end at once when none runs", async () => {
    expect(await hasEnded(stop())).toBe(true)
  })

  it("are given back at once when they have not changed Medusa yet, and are not waited for", async () => {
    settles.begin(lease("reading"))
    expect(await hasEnded(stop())).toBe(true)
    expect(givenBack).toEqual(["reading"])
  })

  it("are waited for once they change Medusa, and keep their row", async () => {
    settles.begin(lease("capturing"))
    settles.enterCore(lease("capturing"))
    const stopped = stop()
    expect(await hasEnded(stopped)).toBe(false)

    settles.end(lease("capturing"))
    expect(await hasEnded(stopped)).toBe(true)
    expect(givenBack).toEqual([])
  })

  it("gives back the one without waiting for the other", async () => {
    settles.begin(lease("capturing"))
    settles.enterCore(lease("capturing"))
    settles.begin(lease("reading"))
    const stopped = stop()
    expect(givenBack).toEqual(["reading"])
    settles.end(lease("capturing"))
    await stopped
  })

  it("keep their row also when they have not ended by the limit", async () => {
    settles.begin(lease("hanging"))
    settles.enterCore(lease("hanging"))
    await stop(1)
    expect(givenBack).toEqual([])
  })

  it("do not enter core any more once the stop has begun", async () => {
    settles.begin(lease("reading"))
    await stop()
    expect(() => settles.enterCore(lease("reading"))).toThrow(SettleStopped)
  })

  it("go on in core when they were there before", async () => {
    settles.begin(lease("capturing"))
    settles.enterCore(lease("capturing"))
    const stopped = stop()
    expect(() => settles.enterCore(lease("capturing"))).not.toThrow()
    settles.end(lease("capturing"))
    await stopped
  })

  it("are not begun any more", async () => {
    expect(settles.isStopping).toBe(false)
    expect(settles.begin(lease("before"))).toBe(true)
    await stop()
    expect([settles.isStopping, settles.begin(lease("after"))]).toEqual([true, false])
  })

  it("stop once, however many signals come", async () => {
    settles.begin(lease("reading"))
    await Promise.all([stop(), stop()])
    await stop()
    expect(givenBack).toEqual(["reading"])
  })

  it("stop although a row could not be given back", async () => {
    settles.begin(lease("reading"))
    await expect(
      settles.stop(LIMIT_MS, () => Promise.reject(new Error("the database is away")))
    ).resolves.toBeUndefined()
  })

  it("wait until a row that is being taken is handed over", async () => {
    const taken = deferred()
    const handedOver = deferred()
    const begun = settles.finish(async () => {
      await taken.promise
      if (!settles.begin(lease("taken late"))) {
        await handedOver.promise
      }
    })
    const stopped = stop()
    taken.resolve()
    expect(await hasEnded(stopped)).toBe(false)

    handedOver.resolve()
    expect(await hasEnded(stopped)).toBe(true)
    await begun
  })

  it("ask the others once to take what is left, also when none runs", async () => {
    let asked = 0
    const handOver = async (): Promise<void> => {
      asked++
      await Promise.resolve()
    }
    await Promise.all([settles.stop(LIMIT_MS, handOver), settles.stop(LIMIT_MS, handOver)])
    expect(asked).toBe(1)
  })

  it("wait for the row that is given back, but not beyond the limit", async () => {
    const stopped = settles.stop(50, async () => await deferred().promise)
    expect(await hasEnded(stopped)).toBe(false)
    await stopped
  })

  it("wait for the row that is given back", async () => {
    const accepted = deferred()
    settles.begin(lease("reading"))
    const stopped = settles.stop(LIMIT_MS, async () => await accepted.promise)
    expect(await hasEnded(stopped)).toBe(false)
    accepted.resolve()
    expect(await hasEnded(stopped)).toBe(true)
  })

  it("tell what failed to the one who asked, and stop", async () => {
    await expect(settles.finish(() => Promise.reject(new Error("the database is away")))).rejects.toThrow(
      "the database is away"
    )
    expect(await hasEnded(stop())).toBe(true)
  })
})
