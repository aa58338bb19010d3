import { Leases, type LeasedRow } from "./leases"

describe("a lease", () => {
  const lease = { id: "cpreq_1", lease_id: "lease_1" } as LeasedRow
  let leases: Leases
  let extend: jest.SpyInstance
  let end: () => void
  let held: Promise<void>

  beforeEach(() => {
    jest.useFakeTimers()
    leases = new Leases(null as never)
    extend = jest.spyOn(leases, "extend").mockRejectedValue(new Error("the database is away"))
    held = leases.hold(lease, async () => {
      await new Promise<void>((resolve) => (end = resolve))
    })
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  it("is extended every ten seconds until the work ends", async () => {
    jest.advanceTimersByTime(29_000)
    expect(extend.mock.calls).toEqual([[lease], [lease]])
    end()
    await held
    jest.advanceTimersByTime(60_000)
    expect(extend).toHaveBeenCalledTimes(2)
  })

  it("ends by itself when the work hangs for two minutes", async () => {
    jest.advanceTimersByTime(600_000)
    expect(extend).toHaveBeenCalledTimes(11)
    end()
    await held
  })
})
