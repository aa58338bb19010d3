import fc from "fast-check"
import "../property-seed.spec"
import { nextCheckAt } from "./retry-ladder"

const CREATED = new Date("2026-01-01T00:00:00Z")
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const at = (ms: number): Date => new Date(CREATED.getTime() + ms)

describe("nextCheckAt", () => {
  it("follows 1, 2, 5, 10, 20 and 40 minutes after each other", () => {
    const checks: number[] = []
    for (let now = CREATED; checks.length < 6;) {
      now = nextCheckAt(CREATED, now) as Date
      checks.push((now.getTime() - CREATED.getTime()) / MINUTE)
    }
    expect(checks).toEqual([1, 3, 8, 18, 38, 78])
  })

  it.each([
    ["hourly for a day", 2 * HOUR, 3 * HOUR],
    ["hourly up to the day's last hour", 23.5 * HOUR, 24.5 * HOUR],
    ["daily once a day is over", DAY, 2 * DAY],
    ["daily after the first day", 25 * HOUR, 49 * HOUR],
    ["at the end of the watch window", 6.5 * DAY, 7 * DAY],
    ["at 14 days", 7 * DAY, 14 * DAY],
    ["at 30 days", 14 * DAY, 30 * DAY],
    ["at 60 days", 31 * DAY, 60 * DAY],
    ["at 90 days", 60 * DAY, 90 * DAY],
  ])("checks %s", (_, now, expected) => {
    expect(nextCheckAt(CREATED, at(now))).toEqual(at(expected))
  })

  it("ends after 90 days", () => {
    expect(nextCheckAt(CREATED, at(90 * DAY))).toBeNull()
  })

  it("is always later than now, until it ends after 90 days", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 200 * DAY }), (age) => {
        const next = nextCheckAt(CREATED, at(age))
        return next === null ? age >= 90 * DAY : next.getTime() > at(age).getTime()
      })
    )
  })

  it("ends within fifty checks and leaves no gap over 31 days, however late each check is made", () => {
    fc.assert(
      fc.property(fc.infiniteStream(fc.integer({ min: 0, max: 3 * HOUR })), (lateness) => {
        let checks = 0
        for (let now = CREATED, next = nextCheckAt(CREATED, now); next !== null; checks++) {
          expect(next.getTime() - now.getTime()).toBeLessThanOrEqual(31 * DAY)
          now = new Date(next.getTime() + (lateness.next().value as number))
          next = nextCheckAt(CREATED, now)
        }
        return checks < 50
      })
    )
  })

  it("never becomes more frequent, so that an old request costs less and less", () => {
    const waits: number[] = []
    for (let now = CREATED, next = nextCheckAt(CREATED, now); next !== null;) {
      waits.push(next.getTime() - now.getTime())
      now = next
      next = nextCheckAt(CREATED, now)
    }
    // The last of the daily checks is at the end of the watch window, however little of a day is left.
    const watched = waits.filter((wait) => wait <= DAY).slice(0, -1)
    expect(watched).toEqual([...watched].sort((left, right) => left - right))
    expect(waits.length).toBeLessThan(50)
  })
})
