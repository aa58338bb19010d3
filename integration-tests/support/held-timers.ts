import { setImmediate as turn } from "node:timers/promises"
import { untilTrue } from "./wait-until"

const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout }
const LONGEST_MS = 2 ** 31 - 1

/**
 * The timers that one file of the plugin, or of Medusa, sets in this process. They run when the test says so, not when
 * their time has come. What is set until `end` is held; what is held then is dropped.
 */
export class HeldTimers {
  private static readonly active = new Set<HeldTimers>()
  /** For how long those were set that were run. */
  readonly firedMs: number[] = []
  private readonly timers = new Map<NodeJS.Timeout, { ms: number; run: () => void }>()

  /** @param file the end of its path, without its extension */
  constructor(private readonly file: string) {
    HeldTimers.active.add(this)
    globalThis.setTimeout = ((run: (...args: unknown[]) => void, ms?: number, ...args: unknown[]) => {
      const caller = callerOfSetTimeout()
      const holder = [...HeldTimers.active].find(({ file }) => caller.endsWith(`/${file}.js`))
      const call = (): void => run(...args)
      return holder === undefined ? real.setTimeout(call, ms) : holder.hold(call, ms ?? 0)
    }) as typeof setTimeout
    globalThis.clearTimeout = (timer) => {
      for (const { timers } of HeldTimers.active) {
        timers.delete(timer as NodeJS.Timeout)
      }
      real.clearTimeout(timer)
    }
  }

  /** After how long each of the timers that are held would run, the one set first first. */
  get delaysMs(): number[] {
    return [...this.timers.values()].map(({ ms }) => ms)
  }

  /**
   * Runs the timers that are held now.
   *
   * @param delayMs only those that were set for this delay
   */
  fire(delayMs?: number): void {
    const due = [...this.timers].filter(([, { ms }]) => delayMs === undefined || ms === delayMs)
    for (const [timer, { ms, run }] of due) {
      this.timers.delete(timer)
      this.firedMs.push(ms)
      run()
    }
  }

  /** Runs the timers that are held, and those that are set then, until the work has ended. */
  async fireUntilOver<T>(work: Promise<T>, delayMs?: number): Promise<T> {
    let isOver = false
    void Promise.allSettled([work]).then(() => (isOver = true))
    await untilTrue(() => {
      this.fire(delayMs)
      return isOver
    })
    return await work
  }

  end(): void {
    HeldTimers.active.delete(this)
    this.timers.clear()
    if (HeldTimers.active.size === 0) {
      Object.assign(globalThis, real)
    }
  }

  private hold(run: () => void, ms: number): NodeJS.Timeout {
    // Never runs: it is only what `clearTimeout` and `unref` are called with.
    const timer = real.setTimeout(() => undefined, LONGEST_MS).unref()
    real.clearTimeout(timer)
    this.timers.set(timer, { ms, run })
    return timer
  }
}

function callerOfSetTimeout(): string {
  const kept = Object.getOwnPropertyDescriptor(Error, "prepareStackTrace")
  Error.prepareStackTrace = (_, sites) => sites
  const sites = new Error().stack as unknown as NodeJS.CallSite[]
  Reflect.deleteProperty(Error, "prepareStackTrace")
  if (kept !== undefined) {
    Object.defineProperty(Error, "prepareStackTrace", kept)
  }
  return sites[2]?.getFileName() ?? ""
}

interface UndiciTimers {
  setFastTimeout: (run: (arg: unknown) => void, ms: number, arg: unknown) => unknown
}

/**
 * In these tests the plugin waits for an answer of the gateway for as long as the test holds it. Without this, it tries
 * a read again after three seconds.
 */
export function neverGiveUpCalls(): void {
  const undici = jest.requireActual<UndiciTimers>("undici/lib/util/timers")
  const { setFastTimeout } = undici
  let timers: HeldTimers
  beforeEach(() => {
    timers = new HeldTimers("gateway/transport")
    undici.setFastTimeout = (run, _ms, arg) => setFastTimeout(run, LONGEST_MS, arg)
  })
  afterEach(() => {
    undici.setFastTimeout = setFastTimeout
    // What a test that failed has left.
    timers.fire()
    timers.end()
  })
}

/** In these tests a file's `await delay(ms)` is over at once. @param file the end of its path, without its extension */
export function passDelays(file: string): void {
  let end: () => void
  beforeEach(() => {
    end = replaceDelays(file, async () => await turn())
  })
  afterEach(() => end())
}

/**
 * A file's `await delay(ms)` waits for something else, and not for its time.
 *
 * @param file the end of its path, without its extension
 * @returns ends that
 */
export function replaceDelays(file: string, work: () => Promise<unknown>): () => void {
  const promises = jest.requireActual<typeof import("node:timers/promises")>("node:timers/promises")
  const { setTimeout: delay } = promises
  promises.setTimeout = async (ms, value, options) => {
    if (!callerOfSetTimeout().endsWith(`/${file}.js`)) {
      return await delay(ms, value, options)
    }
    await work()
    return value as NonNullable<typeof value>
  }
  return () => {
    promises.setTimeout = delay
  }
}
