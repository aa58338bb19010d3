import { RunningSettles } from "./orderly-stop"

const LIMIT_MS = 20_000

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>((resolvePromise) => (resolve = resolvePromise))
  return { promise, resolve }
}

describe("the settles of a process that is told to stop", () => {
  let settles: RunningSettles

  beforeEach(() => {
    settles = new RunningSettles()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  const stop = async (): Promise<void> => {
    await settles.stop(LIMIT_MS)
  }

  /** Whether the stop has ended, once everything that can happen by itself has happened. */
  const hasEnded = async (stopped: Promise<void>): Promise<boolean> => {
    await new Promise(setImmediate)
    const isStillGoing = new Promise<boolean>((resolve) => setImmediate(resolve, false))
    return await Promise.race([stopped.then(() => true), isStillGoing])
  }

  it("end at once when none runs", async () => {
    expect(settles.isStopping).toBe(false)
    const stopped = stop()
    expect(settles.isStopping).toBe(true)
    expect(await hasEnded(stopped)).toBe(true)
  })

  it("are waited for", async () => {
    const settle = deferred()
    const running = settles.finish(() => settle.promise)
    const stopped = stop()
    expect(await hasEnded(stopped)).toBe(false)
    settle.resolve()
    expect(await hasEnded(stopped)).toBe(true)
    await running
  })

  it("are not waited for beyond the limit", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] })
    void settles.finish(() => deferred().promise)
    const stopped = stop()
    jest.advanceTimersByTime(LIMIT_MS - 1)
    expect(await hasEnded(stopped)).toBe(false)
    jest.advanceTimersByTime(1)
    expect(await hasEnded(stopped)).toBe(true)
  })

  it("are waited for when they begin meanwhile, as with a row that was being leased", async () => {
    const [leased, settled] = [deferred(), deferred()]
    const leasing = settles.finish(async () => {
      await leased.promise
      void settles.finish(() => settled.promise)
    })
    const stopped = stop()
    leased.resolve()
    await leasing
    expect(await hasEnded(stopped)).toBe(false)
    settled.resolve()
    expect(await hasEnded(stopped)).toBe(true)
  })

  it("tell what failed to the one who asked, and stop", async () => {
    await expect(settles.finish(() => Promise.reject(new Error("the database is away")))).rejects.toThrow(
      "the database is away"
    )
    expect(await hasEnded(stop())).toBe(true)
  })
})
