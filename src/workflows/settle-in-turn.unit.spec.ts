import type { MedusaContainer } from "@medusajs/framework/types"
import { settleInTurn } from "./settle-in-turn"
import { settlePaymentRequest } from "./settle-payment-request"

jest.mock("./settle-payment-request", () => ({ settlePaymentRequest: jest.fn() }))

const settle = jest.mocked(settlePaymentRequest)

describe("a settle in the turn of this process", () => {
  const inputs: unknown[] = []
  const logged: string[] = []
  const handedOver: string[] = []
  const finished: string[] = []
  let beforeStop: () => Promise<void>
  let isStopping: boolean
  let end: () => Promise<number | null>

  const container = {
    resolve: (name: string) =>
      name === "logger"
        ? { error: (line: string) => logged.push(line) }
        : {
            runningSettles: {
              get isStopping() {
                return isStopping
              },
              beforeStop: (work: () => Promise<void>) => (beforeStop = work),
              finish: async (work: () => Promise<void>) => {
                finished.push("begun")
                await work()
                finished.push("ended")
              },
            },
            checks: {
              handOver: async (id: string) => {
                await Promise.resolve()
                handedOver.push(id)
              },
            },
          },
  } as unknown as MedusaContainer

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] })
    inputs.length = logged.length = handedOver.length = finished.length = 0
    isStopping = false
    end = async () => await Promise.resolve(null)
    settle.mockImplementation(async (_, input) => {
      inputs.push(input)
      return await end()
    })
  })
  afterEach(() => {
    jest.clearAllTimers()
    jest.useRealTimers()
  })

  it("names who asked, if anybody did", async () => {
    expect(await settleInTurn(container, "cpreq_1", "admin", "user_1")).toBe("settled")
    expect(await settleInTurn(container, "cpreq_1", "notification")).toBe("settled")
    expect(inputs).toEqual([
      { id: "cpreq_1", trigger: "admin", by: "user_1" },
      { id: "cpreq_1", trigger: "notification" },
    ])
  })

  it("gives the row to another process while this one stops", async () => {
    isStopping = true
    await settleInTurn(container, "cpreq_1", "notification")
    expect([handedOver, inputs]).toEqual([["cpreq_1"], []])
    // The stop waits for it.
    expect(finished).toEqual(["begun", "ended"])
  })

  it("gives those that wait to another process when this one stops, without waiting for those that run", async () => {
    const goesOn = new Promise<never>(() => undefined)
    end = async () => await goesOn
    const ids = ["cpreq_1", "cpreq_2", "cpreq_3", "cpreq_4", "cpreq_5", "cpreq_6", "cpreq_7"]
    for (const id of ids) {
      void settleInTurn(container, id, "notification")
    }
    isStopping = true
    await beforeStop()
    expect(handedOver).toEqual(["cpreq_6", "cpreq_7"])
    jest.advanceTimersByTime(3 * 60_000)
  })

  it("logs that it failed, with the payment and the cause of the settle", async () => {
    end = async () => await Promise.reject(new Error("the database is gone"))
    expect(await settleInTurn(container, "cpreq_1", "notification")).toEqual({
      failed: expect.any(String) as string,
    })
    expect(logged).toEqual([
      expect.stringMatching(
        /^crypto payment cpreq_1: settling \(notification\) failed \(.+\), it is tried again$/
      ),
    ])
  })

  it("is waited for as long as its lease lasts, and tried again then", async () => {
    end = async () => await new Promise(() => undefined)
    const ended = settleInTurn(container, "cpreq_1", "notification")
    await jest.advanceTimersByTimeAsync(119_999)
    expect(logged).toEqual([])
    await jest.advanceTimersByTimeAsync(1)
    expect(await ended).toEqual({ failed: expect.any(String) as string })
  })
})
