import { CryptoPaymentError } from "./crypto-payment-error"
import type { CryptoPaymentStatus } from "./read-crypto-payment"
import { waitForCryptoPayment } from "./wait-for-crypto-payment"

type Answer = CryptoPaymentStatus | Error | "hangs"

const WAITING: CryptoPaymentStatus = { status: "awaiting_payment", retryAfterS: 5 }
const PAID: CryptoPaymentStatus = { status: "paid", orderId: "order_1" }
const UNREACHABLE = new CryptoPaymentError("unreachable")

/** Reads one answer after another, the last one for good, and notes when it was asked. */
function script(...answers: Answer[]) {
  const askedAt: number[] = []
  const read = async (): Promise<CryptoPaymentStatus> => {
    const answer = answers[Math.min(askedAt.length, answers.length - 1)]
    askedAt.push(Date.now())
    if (answer === "hangs" || answer === undefined) {
      return await new Promise(() => undefined)
    }
    if (answer instanceof Error) {
      throw answer
    }
    return answer
  }
  return { read, askedAt, pauses: () => askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0)) }
}

describe("waitForCryptoPayment", () => {
  beforeEach(() => {
    jest.useFakeTimers({ now: 0 })
    jest.spyOn(Math, "random").mockReturnValue(0)
  })
  afterEach(() => {
    jest.useRealTimers()
    jest.restoreAllMocks()
  })

  async function outcomeOf(options: Parameters<typeof waitForCryptoPayment>[0]) {
    const waiting = waitForCryptoPayment(options)
    waiting.catch(() => undefined)
    await jest.advanceTimersByTimeAsync(60 * 60_000)
    return await waiting
  }

  it("asks until the order is there", async () => {
    const { read, askedAt } = script(
      WAITING,
      { status: "processing", retryAfterS: 2 },
      { status: "paid", retryAfterS: 2 },
      PAID
    )
    const heard: string[] = []
    const outcome = await outcomeOf({ read, onStatus: ({ status }) => heard.push(status) })
    expect(outcome).toMatchObject({ outcome: "paid", orderId: "order_1" })
    expect(heard).toEqual(["awaiting_payment", "processing", "paid", "paid"])
    expect(askedAt).toHaveLength(4)
  })

  it.each([
    ["failed", { status: "failed" } as const],
    ["unknown", { status: "unknown" } as const],
    ["paid", { status: "paid" } as const],
  ])("takes %s for the last word", async (word, answer) => {
    const { read, askedAt } = script(answer)
    expect((await outcomeOf({ read })).outcome).toBe(word)
    expect(askedAt).toHaveLength(1)
  })

  it("goes on when a failed link may still have been paid", async () => {
    const { read } = script({ status: "failed", retryAfterS: 2 }, PAID)
    expect((await outcomeOf({ read })).outcome).toBe("paid")
  })

  it("never asks sooner than the shop said", async () => {
    const { read, pauses } = script({ status: "processing", retryAfterS: 40 }, PAID)
    await outcomeOf({ read })
    expect(pauses()).toEqual([40_000])
  })

  it("asks more and more slowly, down to every fifteen seconds", async () => {
    const { read, pauses } = script({ status: "processing", retryAfterS: 2 })
    await outcomeOf({ read, maxWaitMs: 120_000 })
    expect(pauses().slice(0, 3)).toEqual([2000, 2600, 3380])
    expect(pauses().at(-1)).toBe(15_000)
  })

  it("asks later by up to a quarter, so that not all ask at once", async () => {
    jest.spyOn(Math, "random").mockReturnValue(1)
    const { read, pauses } = script(WAITING, PAID)
    await outcomeOf({ read })
    expect(pauses()).toEqual([6250])
  })

  it("bears a shop that gives no answer", async () => {
    const { read, pauses } = script(UNREACHABLE, UNREACHABLE, new TypeError("fetch failed"), PAID)
    expect((await outcomeOf({ read })).outcome).toBe("paid")
    expect(pauses()).toEqual([4000, 8000, 15_000])
  })

  it("gives up an answer that does not come within twenty seconds", async () => {
    const { read, pauses } = script("hangs", PAID)
    expect((await outcomeOf({ read })).outcome).toBe("paid")
    expect(pauses()).toEqual([24_000])
  })

  it("throws when the shop refuses, instead of asking for ever", async () => {
    const { read, askedAt } = script(new CryptoPaymentError("refused"))
    await expect(outcomeOf({ read })).rejects.toMatchObject({ code: "refused" })
    expect(askedAt).toHaveLength(1)
  })

  it("ends as delayed, with what it heard last", async () => {
    const { read } = script(WAITING)
    expect(await outcomeOf({ read, maxWaitMs: 60_000 })).toMatchObject({ outcome: "delayed", last: WAITING })
  })

  it("ends as delayed when it heard nothing", async () => {
    const { read } = script(UNREACHABLE)
    expect(await outcomeOf({ read, maxWaitMs: 60_000 })).toMatchObject({
      outcome: "delayed",
      last: undefined,
    })
  })

  it("ends as review when the shop is still looking", async () => {
    const { read } = script({ status: "processing", review: true, retryAfterS: 2 })
    expect((await outcomeOf({ read, maxWaitMs: 60_000 })).outcome).toBe("review")
  })

  it("asks for fifteen minutes unless told otherwise", async () => {
    const { read, askedAt } = script(WAITING)
    await outcomeOf({ read })
    expect(askedAt.at(-1)).toBeLessThanOrEqual(15 * 60_000)
    expect(askedAt.at(-1)).toBeGreaterThan(14 * 60_000)
  })

  it.each([
    ["between two questions", 3000],
    ["while an answer is awaited", 6000],
  ])("stops when it is called off %s", async (_name, afterMs) => {
    const { read, askedAt } = script(WAITING, "hangs")
    const leaving = new AbortController()
    const waiting = waitForCryptoPayment({ read, signal: leaving.signal })
    waiting.catch(() => undefined)
    await jest.advanceTimersByTimeAsync(afterMs)
    const asked = askedAt.length
    leaving.abort(new Error("left the page"))
    await expect(waiting).rejects.toThrow("left the page")
    await jest.advanceTimersByTimeAsync(60_000)
    expect(askedAt).toHaveLength(asked)
    expect(jest.getTimerCount()).toBe(0)
  })

  it("does not begin when it is called off already", async () => {
    const { read, askedAt } = script(PAID)
    const signal = AbortSignal.abort(new Error("left the page"))
    await expect(outcomeOf({ read, signal })).rejects.toThrow("left the page")
    expect(askedAt).toEqual([])
  })

  describe("on a page", () => {
    const page = Object.assign(new EventTarget(), { visibilityState: "visible" })
    beforeEach(() => {
      Object.assign(globalThis, { window: Object.assign(new EventTarget(), { document: page }) })
    })
    afterEach(() => {
      Reflect.deleteProperty(globalThis, "window")
    })

    it("asks at once when the page is looked at again", async () => {
      const { read, pauses } = script(UNREACHABLE, UNREACHABLE, UNREACHABLE, PAID)
      const waiting = waitForCryptoPayment({ read })
      await jest.advanceTimersByTimeAsync(14_000)
      page.dispatchEvent(new Event("visibilitychange"))
      await waiting
      expect(pauses()).toEqual([4000, 8000, 2000])
    })

    it("does not ask sooner than the shop said, whatever is looked at", async () => {
      const { read, pauses } = script({ status: "processing", retryAfterS: 10 }, PAID)
      const waiting = waitForCryptoPayment({ read })
      await jest.advanceTimersByTimeAsync(9000)
      page.dispatchEvent(new Event("visibilitychange"))
      await jest.advanceTimersByTimeAsync(1000)
      await waiting
      expect(pauses()).toEqual([10_000])
    })
  })
})
